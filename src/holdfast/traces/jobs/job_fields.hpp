#pragma once

#include "holdfast/traces/jobs/job_log.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

/// The fields of a job by name. They are the columns of `jobs-csv`, and other formats report which of them they lose.
namespace holdfast {

/// The largest whole number up to which all whole numbers are exact as doubles, 2^53.
inline constexpr double kMostWhole = 9007199254740992.0;

/// One field of a job.
struct JobField {
  std::string_view name;  ///< "requested_time"
  std::variant<double LoggedJob::*, std::int64_t LoggedJob::*> member;
};

/// Returns all fields, in the order of the Standard Workload Format.
[[nodiscard]] std::span<const JobField> job_fields();

/// Returns the value of a field in the unit of LoggedJob; -1 if the log does not say.
[[nodiscard]] double value_of(const LoggedJob& job, const JobField& field);

/// Returns the status of a job whose state a batch system calls so, in any case and with anything behind ("CANCELLED by 17"):
/// 1 for completed, 5 for cancelled, 0 for failed, timeout, node_fail and others that ended otherwise, -1 for those that have
/// not ended and unknown words.
[[nodiscard]] std::int64_t status_of(std::string_view state);

/// Adds to `lost` how many known values the jobs have in fields other than `kept`, for a format that can hold only those.
void add_lost_fields(std::span<const LoggedJob> jobs, std::span<const std::string_view> kept,
                     Oddities& lost);

}  // namespace holdfast
