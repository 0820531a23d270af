#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/control.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

class Workload;

/// A campaign cut into slices that run as independent tasks, perhaps on other machines, without communication. A folder
/// `tasks-*` in the directory of results holds the plan and one shard per task. The next process that holds the lock of the
/// directory merges the shards and removes the folder. A task that starts too late finds no plan and does nothing.
///
///   tasks-20260102T030405/plan    the missing cells, and where the slices begin
///                         /job    its job number in the batch system, for people and for squeue
///                         /7      the shard of task 7
///                         /7.log  the messages of task 7
///   merging                       number of cells in the results before the merge, while shards are merged
inline constexpr const char* kTasksPrefix = "tasks-";

/// A plan that was written into a folder.
struct TaskPlan {
  std::filesystem::path folder;
  unsigned slices = 0;
};
/// Makes a folder with a plan whose slices have about the same number of missing cells.
/// @param slices  number of slices; there may be fewer, but never more slices than groups
[[nodiscard]] Result<TaskPlan> plan_tasks(const std::filesystem::path& results,
                                          const Workload& workload, unsigned slices);

/// Runs one slice on threads of this process and stores the cells in its shard. Cells that are already in the shard are not run
/// again.
/// @param shard  FOLDER/NUMBER
/// @return the progress; nothing if the plan is gone because another process has taken over
[[nodiscard]] Result<std::optional<Progress>> run_task(const Campaign& campaign,
                                                       const std::filesystem::path& shard,
                                                       const Control& control);

/// Returns the folders of tasks that have not been merged, oldest first.
[[nodiscard]] std::vector<std::filesystem::path> task_folders(const std::filesystem::path& results);
/// Returns the job number of a folder's tasks in the batch system; empty if none was written.
[[nodiscard]] std::string job_of(const std::filesystem::path& folder);

/// The cells that tasks have stored and that are not merged yet.
struct TaskStatus {
  std::uint64_t cells = 0;  ///< number of cells in shards
  /// The number of cells in the results before a merge that is still running or was killed. The cells in shards are counted in
  /// addition to these, not to the current number of cells in the results.
  std::optional<std::uint64_t> merged_onto;
  std::uint64_t running = 0;  ///< tasks that are writing now
  std::vector<std::string> jobs;
};
/// Returns these cells, and the tasks that are still writing.
[[nodiscard]] TaskStatus task_status(const std::filesystem::path& results);

/// Moves the cells of all shards into results.sqlite and removes their folders. It is refused while a task writes. The caller
/// holds the lock of the directory.
/// @param domain  the domain of the campaign; shards belong to the copy of the campaign file in the directory
[[nodiscard]] Status merge_tasks(const std::filesystem::path& results, const Domain& domain);

}  // namespace holdfast
