#pragma once

#include "holdfast/campaign/executors.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

/// Returns the executor `slurm`. It cuts the missing cells into slices (tasks.hpp), submits a job array with one task per slice
/// and a job after it that merges their shards, and does not wait. It needs sbatch and squeue, and it assumes that all machines
/// see the directory of results, the files that the campaign names, and this program under the same paths.
[[nodiscard]] Result<std::unique_ptr<Executor>> start_slurm(const ExecutorSetup& setup);

/// Refuses arguments of --sbatch that must not reach sbatch (usage): arguments that are not options, because sbatch would run
/// them as the script, and options that this executor sets itself.
[[nodiscard]] Status check_batch_option(std::string_view option);

/// The numbers of waiting and running tasks of a job.
struct QueueCount {
  unsigned pending = 0;
  unsigned running = 0;
};
/// Returns these numbers according to squeue; nothing if Slurm does not answer.
[[nodiscard]] std::optional<QueueCount> ask_queue(const std::string& job);

}  // namespace holdfast
