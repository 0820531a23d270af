#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

/// Jobs as plain lines of text: `release cores length`, or `id release length cores word` in slices of a Borg cell. Times are
/// whole seconds, and lines that begin with # are skipped. Wait times are unknown, because these files are inputs of
/// simulations. Errors name FILE:LINE.
namespace holdfast {

/// Reads three columns: release, cores, length. Jobs are numbered from 0.
[[nodiscard]] Result<JobLogFacts> read_job_table(LineReader lines, const JobSink& sink);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_job_table(std::string_view head);

/// Reads five columns: id, release, length, cores and a constant word. Jobs may be in any order of time, and ids may repeat
/// between files.
[[nodiscard]] Result<JobLogFacts> read_borg_jobs(LineReader lines, const JobSink& sink);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_borg_jobs(std::string_view head);

}  // namespace holdfast
