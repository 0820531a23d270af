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

/// A campaign cut into slices that run as tasks of their own, perhaps on other machines, without a
/// word to each other: a folder `tasks-*` in the directory of results holds the plan, and a shard
/// for each task. Whoever next holds the directory's lock merges the shards and removes the folder;
/// a task that comes too late finds no plan and does nothing.
///
///   tasks-20260102T030405/plan    what is missing, and where slices begin
///                         /job    the engine's number of it, for people and for squeue
///                         /7      the shard of task 7
///                         /7.log  what it said
///   merging                       while shards are merged: how many cells the results had before
inline constexpr const char* kTasksPrefix = "tasks-";

/// Makes a folder with a plan of about equal numbers of missing cells per slice.
/// @param slices  wanted; there may be fewer, never more than groups. Returned: the folder, and how many
struct TaskPlan {
  std::filesystem::path folder;
  unsigned slices = 0;
};
[[nodiscard]] Result<TaskPlan> plan_tasks(const std::filesystem::path& results,
                                          const Workload& workload, unsigned slices);

/// Runs one slice on threads of this process, into its shard; what the shard has already is not run
/// again.
/// @param shard  FOLDER/NUMBER
/// @return progress; nothing if the plan is gone: somebody else has taken over
[[nodiscard]] Result<std::optional<Progress>> run_task(const Campaign& campaign,
                                                       const std::filesystem::path& shard,
                                                       const Control& control);

/// Folders of tasks that have not been merged, oldest first.
[[nodiscard]] std::vector<std::filesystem::path> task_folders(const std::filesystem::path& results);
/// Returns the engine's number of a folder's tasks; empty if none was written.
[[nodiscard]] std::string job_of(const std::filesystem::path& folder);

/// What tasks have left, as far as it is not merged.
struct TaskStatus {
  std::uint64_t cells = 0;  ///< in shards
  /// Cells that the results had before a merge that goes on, or was killed: those of the shards come on top of these,
  /// not of what the results have now.
  std::optional<std::uint64_t> merged_onto;
  std::uint64_t running = 0;  ///< tasks that write now
  std::vector<std::string> jobs;
};
[[nodiscard]] TaskStatus task_status(const std::filesystem::path& results);

/// Moves the cells of all shards into results.sqlite, and removes their folders. Refused while a task
/// writes. The caller holds the directory's lock.
/// @param domain  of the campaign; shards belong to the copy of the campaign file in the directory
[[nodiscard]] Status merge_tasks(const std::filesystem::path& results, const Domain& domain);

}  // namespace holdfast
