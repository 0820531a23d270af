#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/domains/io/workload.hpp"

#include <filesystem>

namespace holdfast::io {

/// Reads the parameters of workload windows. `classes` is a CSV file or the list that to_value() makes.
/// @param directory  the folder to which a relative path refers
[[nodiscard]] Result<WorkloadParameters> read_workload(const Value& parameters,
                                                       const std::filesystem::path& directory);

/// Returns a document that reads back as these parameters, without any file.
[[nodiscard]] Value to_value(const WorkloadParameters& parameters);

}  // namespace holdfast::io
