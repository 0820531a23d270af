#pragma once

#include "holdfast/traces/jobs/job_log.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

/// The fields of a job by name: the columns of `jobs-csv`, and what other formats have no place for.
namespace holdfast {

struct JobField {
  std::string_view name;  ///< "requested_time"
  std::variant<double LoggedJob::*, std::int64_t LoggedJob::*> member;
};

/// All of them, in the order of the Standard Workload Format.
[[nodiscard]] std::span<const JobField> job_fields();

/// -1: the log does not say.
[[nodiscard]] double value_of(const LoggedJob& job, const JobField& field);

/// Adds how many known values the jobs have in other fields than these: what a format cannot hold.
void add_lost_fields(std::span<const LoggedJob> jobs, std::span<const std::string_view> kept,
                     Oddities& lost);

}  // namespace holdfast
