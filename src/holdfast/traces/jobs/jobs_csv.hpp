#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

/// Jobs as a plain table: a header with the names of LoggedJob's fields (`job` is its number), a row per job. What is not
/// known is an empty cell; columns that nobody needs may be missing.
namespace holdfast {

/// Reads such a table, streaming. Columns `submit`, `run` and one of `processors` and `requested_processors` are needed,
/// others are optional, unknown ones are counted. Comments `# NAME: VALUE` before the header become header entries.
[[nodiscard]] Result<JobLogFacts> read_jobs_csv(LineReader lines, const JobSink& sink);
[[nodiscard]] bool looks_like_jobs_csv(std::string_view head);

/// The jobs as such a table; columns that no job fills are left out. Reading it again gives the same jobs.
[[nodiscard]] Result<Oddities> write_jobs_csv(const JobLog& log, const TextSink& sink);

}  // namespace holdfast
