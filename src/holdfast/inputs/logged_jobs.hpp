#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/inputs/table_options.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Batch logs as the jobs of an instance, for the domains that read them with the same fields.
namespace holdfast {

/// What a document says about its log.
struct JobLogQuestion {
  std::filesystem::path file;  ///< the path of the log
  ReadAs as;                   ///< its kind or format, and what a person says about a table
  double compress = 1;         ///< a divisor of the times between submissions
};

/// Returns the object that a document means: the name of a file alone stands for `{"file": name}`.
[[nodiscard]] Value file_question(const Value& given);
/// Reads `file`, `compress` and the fields of read_read_as(). The reader keeps an error.
/// @param directory  the folder to which a relative path refers
[[nodiscard]] JobLogQuestion read_job_log_question(ObjectReader& read,
                                                   const std::filesystem::path& directory);

/// Returns the date of the first submission, on the clock of the log in seconds.
[[nodiscard]] double first_submission(const std::vector<LoggedJob>& jobs);

/// The jobs of a log that can run, and what became of the others.
struct LogSelection {
  std::vector<const LoggedJob*> jobs;  ///< in the order of the log, which must outlive them
  std::int64_t left_out = 0;           ///< number of the others
  std::vector<std::string> notes;      ///< a line for each reason that left out a job
};

/// Returns the jobs for which there is no reason to leave them out.
/// @param file       the name of the log in the notes
/// @param reasons    why jobs may be left out, as the end of a sentence
/// @param reason_of  returns the position of a job's reason, or nothing if the job can run
[[nodiscard]] LogSelection select_jobs(
    const JobLog& log, const std::string& file, std::span<const std::string_view> reasons,
    const std::function<std::optional<std::size_t>(const LoggedJob&)>& reason_of);

}  // namespace holdfast
