#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/value.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace holdfast {

/// Reads what a domain needs of a class of jobs, and keeps it. What it does not read is refused.
using ReadJobClass = std::function<void(std::string name, ObjectReader& members)>;

/// Reads the classes of jobs of a computing centre: a list of objects, or a file whose columns are called like their members: name,
/// nodes or cores, walltime, input, output, checkpoint, recovery, share, running. A file may also have walltime_h in hours, and
/// input_GB, output_GB, checkpoint_GB, recovery_GB in units of 2^30 bytes. There is at least one class, and their names differ.
/// @param where  the field of the document
/// @param directory  the folder to which a relative path refers
[[nodiscard]] Status each_job_class(const Value& value, std::string_view where,
                                    const std::filesystem::path& directory,
                                    const ReadJobClass& read);

}  // namespace holdfast
