#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

/// Batsim's workloads: a JSON document with `jobs` (id, subtime, res, walltime, profile), `profiles` (what a job does,
/// by name) and `nb_res` (the machine's size).
namespace holdfast {

/// Reads a workload; the document is held in memory. A job runs as long as the `delay` of its profile; profiles of
/// other types depend on a simulated platform, so their jobs are handed on without a run time, and counted. Ids that
/// are no numbers are replaced by positions, and counted. Refused, with the pointer into the document: a job without
/// submission, resources or a profile that exists, a negative time.
[[nodiscard]] Result<JobLogFacts> read_batsim_json(LineReader lines, const JobSink& sink);
[[nodiscard]] bool looks_like_batsim_json(std::string_view head);

/// The jobs as such a workload: one delay profile per run time. @returns what the format has no place for
[[nodiscard]] Result<Oddities> write_batsim_json(const JobLog& log, const TextSink& sink);

}  // namespace holdfast
