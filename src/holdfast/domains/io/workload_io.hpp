#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/domains/io/workload.hpp"

#include <filesystem>

namespace holdfast::io {

/// Reads the parameters of workload windows: `classes` is a CSV file or the list that to_value() makes of one.
/// @param directory  where a relative path starts
[[nodiscard]] Result<WorkloadParameters> read_workload(const Value& parameters,
                                                       const std::filesystem::path& directory);

/// Returns what reads back as these parameters, without any file.
[[nodiscard]] Value to_value(const WorkloadParameters& parameters);

}  // namespace holdfast::io
