#pragma once

#include "holdfast/campaign/executors.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

/// Returns the executor `slurm`: cuts what is missing into slices (tasks.hpp), submits a job array with a task
/// per slice and a job after it that merges their shards, and does not wait. Of Slurm it uses sbatch
/// and squeue; of the machines it assumes that they see the directory of results, the files that the
/// campaign names, and this program, at the same paths.
[[nodiscard]] Result<std::unique_ptr<Executor>> start_slurm(const ExecutorSetup& setup);

/// Refuses what --sbatch must not hand to sbatch (usage): what is no option, which sbatch would run as the script, and
/// options that this executor gives itself.
[[nodiscard]] Status check_batch_option(std::string_view option);

/// How many tasks of a job wait and run, as squeue says; nothing if Slurm does not answer.
struct QueueCount {
  unsigned pending = 0;
  unsigned running = 0;
};
[[nodiscard]] std::optional<QueueCount> ask_queue(const std::string& job);

}  // namespace holdfast
