#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"

#include <filesystem>
#include <functional>

namespace holdfast {
class ObjectReader;
}

namespace holdfast::checkpoint {

/// Reads and checks an instance document. `recovery` defaults to the checkpoint, `downtime` to 0, `work` to the sum of
/// the segments or to a job without end. Errors name the field as a JSON pointer.
/// @param directory  the folder to which relative paths of files in the document refer
[[nodiscard]] Result<Instance> read_instance(const Value& document,
                                             const std::filesystem::path& directory);

/// Reads an instance for questions about the platform alone. The job's fields may be absent, and their combination is not
/// checked.
[[nodiscard]] Result<Instance> read_platform(const Value& document,
                                             const std::filesystem::path& directory);

/// Reads an instance for a running job, which may know neither the time of a checkpoint nor how its nodes fail. Without
/// failures, each node fails every 100 days on average, and the notes say so.
/// @param more  reads the fields in addition to those of an instance
[[nodiscard]] Result<Instance> read_running_job(const Value& document,
                                                const std::filesystem::path& directory,
                                                const std::function<void(ObjectReader&)>& more);

/// Returns the document that reads back as this instance, in canonical form: in SI units, without fields that have their
/// defaults.
[[nodiscard]] Value to_value(const Instance& instance);

}  // namespace holdfast::checkpoint
