#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

/// Batsim's file of jobs (prefix_jobs.csv): one row per job says when it was submitted, started and ended, and which
/// resources it had. Batsim's tools and evalys draw it. Schedules that `--schedule FILE.csv` writes have these columns too.
namespace holdfast {

/// Reads such a file and hands each job on as it is read. A job that has not started has neither a wait nor a run time. The
/// reader ignores which resources a job had. Errors name FILE:LINE: COLUMN.
[[nodiscard]] Result<JobLogFacts> read_batsim_csv(LineReader lines, const JobSink& sink);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_batsim_csv(std::string_view head);

/// Writes the jobs as such a file, in order of their starts. Resources are numbered by packing, since a log says how many a
/// job had, but not which. Jobs without a known start, run time or number of processors are left out and counted; a log
/// that has no other jobs is an error.
/// @returns what the format has no place for
[[nodiscard]] Result<Oddities> write_batsim_csv(const JobLog& log, const TextSink& sink);

}  // namespace holdfast
