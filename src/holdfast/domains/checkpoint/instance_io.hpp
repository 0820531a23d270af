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
/// @param directory  where the relative paths of files in the document start
[[nodiscard]] Result<Instance> read_instance(const Value& document,
                                             const std::filesystem::path& directory);

/// Returns the same for questions about the platform alone: the job's fields may be absent, and what they say
/// together is not checked.
[[nodiscard]] Result<Instance> read_platform(const Value& document,
                                             const std::filesystem::path& directory);

/// Returns the same of a job that runs, which may know neither what a checkpoint takes nor how its nodes fail: without failures each
/// of them fails every 100 days on average, and the notes say so. @param more  reads the fields beside those of an instance,
/// and may set the processors where the document does not
[[nodiscard]] Result<Instance> read_running_job(
    const Value& document, const std::filesystem::path& directory,
    const std::function<void(ObjectReader&, Instance&)>& more);

/// Returns the document that reads back as this instance, in canonical form: SI units, a field left out where it has its
/// default.
[[nodiscard]] Value to_value(const Instance& instance);

}  // namespace holdfast::checkpoint
