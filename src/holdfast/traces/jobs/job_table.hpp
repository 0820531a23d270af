#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

/// Jobs as bare lines of text: `release cores length`, or as the slices of a Borg cell `id release length cores word`.
/// Whole seconds; lines that begin with # are skipped. Wait times are not known: what starts when is what a simulation
/// is asked.
namespace holdfast {

/// Three columns: release, cores, length. Jobs are numbered from 0.
[[nodiscard]] Result<JobLogFacts> read_job_table(LineReader lines, const JobSink& sink);
[[nodiscard]] bool looks_like_job_table(std::string_view head);

/// Five columns: id, release, length, cores, a constant word; in any order of time, ids may repeat between files.
[[nodiscard]] Result<JobLogFacts> read_borg_jobs(LineReader lines, const JobSink& sink);
[[nodiscard]] bool looks_like_borg_jobs(std::string_view head);

}  // namespace holdfast
