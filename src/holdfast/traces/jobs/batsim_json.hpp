#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

/// Batsim's workloads: a JSON document with `jobs` (id, subtime, res, walltime, profile), `profiles` (what a job does,
/// by name) and `nb_res` (the machine's size).
namespace holdfast {

/// Reads a workload. The document is held in memory. A job runs for the `delay` of its profile. The run time of other types of
/// profile depends on a simulated platform, so their jobs are handed on without a run time and counted. Ids that are not
/// numbers are replaced by positions and counted. A job without a submission time, resources or an existing profile is an
/// error, and so is a negative time; errors carry the pointer into the document.
[[nodiscard]] Result<JobLogFacts> read_batsim_json(LineReader lines, const JobSink& sink);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_batsim_json(std::string_view head);

/// Writes the jobs as such a workload, with one delay profile per run time.
/// @returns the information that the format cannot hold
[[nodiscard]] Result<Oddities> write_batsim_json(const JobLog& log, const TextSink& sink);

}  // namespace holdfast
