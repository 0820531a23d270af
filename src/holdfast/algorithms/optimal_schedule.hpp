#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast {

/// A task of an exact search. It starts when its parents have completed and keeps its processors until it ends.
struct SearchTask {
  std::vector<double> times;         ///< seconds on 1, 2, ... processors; >= 0, not empty
  std::vector<std::size_t> parents;  ///< positions of the tasks it waits for, without cycles
  /// Tasks of the same kind have the same times and the same successors, so that swapping two of them that are ready changes
  /// nothing. If no two tasks are alike, use their positions.
  std::size_t kind = 0;
  double release = 0;  ///< it does not start before this time, seconds >= 0
};

/// One task of an optimal schedule.
struct PlacedTask {
  std::size_t task = 0;         ///< position of the task
  std::int64_t processors = 1;  ///< number of processors
  double start = 0;             ///< seconds
};

/// A schedule with the shortest makespan.
struct OptimalSchedule {
  double makespan = 0;            ///< seconds
  std::vector<PlacedTask> tasks;  ///< in order of start
};

/// The number of steps after which a search gives up: some 20 seconds.
inline constexpr std::int64_t kMostSearchSteps = 1'000'000'000;

/// Returns the shortest schedule of moldable tasks, by depth-first branch and bound. Each step decides which task starts next
/// and on how many processors, as early as the machine allows but not before the task placed before it. Some optimal schedule
/// can be built in that order. The cost is exponential: only for a handful of tasks.
/// @param processors  number of processors of the machine, >= 1; tasks may use at most times.size() of them
/// @param upper       makespan of a known schedule, to cut the search; infinity if none is known
/// @param most_steps  limit on the number of steps, each of which places a task; with n > 8 tasks, each of which takes longer, on n / 8 times that number. The
///                    result is nullopt if it is not enough
/// @returns if no schedule is shorter than `upper` (to a relative 1e-12), `upper` without tasks
[[nodiscard]] std::optional<OptimalSchedule> optimal_schedule(std::int64_t processors,
                                                              std::span<const SearchTask> tasks,
                                                              double upper,
                                                              std::int64_t most_steps);

}  // namespace holdfast
