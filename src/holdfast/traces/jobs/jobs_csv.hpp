#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/jobs/job_log.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <functional>

/// Jobs as a plain table: a header with the names of LoggedJob's fields (`job` is its number) and a row per job. An empty cell
/// means an unknown value, and columns may be missing.
namespace holdfast {

/// Reads such a table and hands on each job as it is read. Columns `submit`, `run` and one of `processors` and
/// `requested_processors` are required; other columns are optional, and unknown ones are counted. Comments `# NAME: VALUE`
/// before the header become header entries. Errors name FILE:LINE: COLUMN.
[[nodiscard]] Result<JobLogFacts> read_jobs_csv(TraceText text, const JobSink& sink);
/// What a format of one site changes in a job that was read from a row.
using SettleJob = std::function<Status(TableRows& row, LoggedJob& job)>;
/// Reads a table of jobs of any form; a format of one site says its columns with TraceText::with(). Fields are those of
/// `jobs-csv`, and `start`, `end`, `nodes`, `state` and `copies`.
[[nodiscard]] Result<JobLogFacts> read_job_rows(TraceText text, const JobSink& sink,
                                                const SettleJob& settle = {});

/// Writes the jobs as such a table, without empty columns. Reading it gives the same jobs.
/// @returns the information that the format cannot hold
[[nodiscard]] Result<Oddities> write_jobs_csv(const JobLog& log, const TextSink& sink);

}  // namespace holdfast
