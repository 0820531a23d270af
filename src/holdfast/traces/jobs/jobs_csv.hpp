#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

/// Jobs as a plain table: a header with the names of LoggedJob's fields (`job` is its number) and a row per job. An empty cell
/// means an unknown value, and columns may be missing.
namespace holdfast {

/// Reads such a table and hands on each job as it is read. Columns `submit`, `run` and one of `processors` and
/// `requested_processors` are required; other columns are optional, and unknown ones are counted. Comments `# NAME: VALUE`
/// before the header become header entries. Errors name FILE:LINE: COLUMN.
[[nodiscard]] Result<JobLogFacts> read_jobs_csv(TraceText text, const JobSink& sink);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_jobs_csv(std::string_view head);

/// Writes the jobs as such a table, without empty columns. Reading it gives the same jobs.
/// @returns the information that the format cannot hold
[[nodiscard]] Result<Oddities> write_jobs_csv(const JobLog& log, const TextSink& sink);

}  // namespace holdfast
