#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

/// Batsim's file of jobs (prefix_jobs.csv): one row per job with when it was submitted, started and ended and which
/// resources it had. Batsim's tools and evalys draw it. Schedules that `--schedule FILE.csv` writes have these columns too.
namespace holdfast {

/// Reads such a file, streaming. A job that has not started has neither a wait nor a run time; which resources a job had
/// is not read.
[[nodiscard]] Result<JobLogFacts> read_batsim_csv(LineReader lines, const JobSink& sink);
[[nodiscard]] bool looks_like_batsim_csv(std::string_view head);

/// The jobs as such a file, in order of their starts. Resources are numbered by packing, since a log says how many a job
/// had, not which. Jobs that no one knows the start, the run time or the processors of are left out and counted; a log
/// without any other is an error.
[[nodiscard]] Result<Oddities> write_batsim_csv(const JobLog& log, const TextSink& sink);

}  // namespace holdfast
