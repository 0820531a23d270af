#pragma once

#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

/// Batsim's job file (prefix_jobs.csv). One row per job says when it was submitted, started and ended, and which resources it
/// had. Batsim's tools and evalys draw such files. Schedules written by `--schedule FILE.csv` have these columns too.
namespace holdfast {

/// Reads such a file and hands on each job as it is read. A job that has not started has neither a wait nor a run time. The
/// reader ignores which resources a job had. Errors name FILE:LINE: COLUMN.
[[nodiscard]] Result<JobLogFacts> read_batsim_csv(TraceText text, const JobSink& sink);
/// Writes the jobs as such a file, in order of start. Resources are numbered by packing, because a log says how many a job had,
/// but not which. Jobs without a known start, run time or number of processors are left out and counted. If no job is left,
/// that is an error.
/// @returns the information that the format cannot hold
[[nodiscard]] Result<Oddities> write_batsim_csv(const JobLog& log, const TextSink& sink);

}  // namespace holdfast
