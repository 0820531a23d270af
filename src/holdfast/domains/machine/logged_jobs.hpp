#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/machine/instance.hpp"

#include <filesystem>
#include <string>

namespace holdfast::machine {

/// `jobs` as the question for a batch log, {"file", "format", "compress", "cores_per_node", "checkpoint_per_node",
/// "input_per_node", "output_per_node"}: its run time is the failure-free work, its requested time the estimate. What is
/// odd about the log is noted in the instance. @pre instance.nodes
[[nodiscard]] Status read_logged_jobs(const Value& value, const std::string& where,
                                      const std::filesystem::path& directory, Instance& instance);

}  // namespace holdfast::machine
