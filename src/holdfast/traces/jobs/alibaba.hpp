#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/traces/jobs/job_log.hpp"

#include <string_view>

/// The list of pods in Alibaba's trace of a GPU cluster (2023): CSV with columns name, cpu_milli, memory_mib, num_gpu,
/// gpu_milli, pod_phase, creation_time, deletion_time, scheduled_time. The list of nodes is a table of machines
/// (machines/machine_table.hpp).
namespace holdfast {

/// Reads pods as jobs and hands on each one as it is read. CPUs are rounded up to whole ones, GPUs keep their fractions, and
/// memory is in kilobytes per CPU. A pod that was never scheduled (an empty cell) has neither a wait nor a run time. Errors
/// name FILE:LINE: COLUMN.
[[nodiscard]] Result<JobLogFacts> read_alibaba_pods(LineReader lines, const JobSink& sink);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_alibaba_pods(std::string_view head);

}  // namespace holdfast
