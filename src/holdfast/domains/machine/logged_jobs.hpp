#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/machine/instance.hpp"

#include <filesystem>
#include <string>

namespace holdfast::machine {

/// Reads `jobs` from a batch log: {"file", "format", "compress", "cores_per_node", "checkpoint_per_node", "input_per_node",
/// "output_per_node"}. The run time in the log is the failure-free work, the requested time is the estimate. Oddities of the
/// log are noted in the instance. @pre instance.nodes is set
[[nodiscard]] Status read_logged_jobs(const Value& value, const std::string& where,
                                      const std::filesystem::path& directory, Instance& instance);

}  // namespace holdfast::machine
