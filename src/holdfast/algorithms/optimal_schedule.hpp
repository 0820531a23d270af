#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast {

/// A task of an exact search. It starts when its parents have completed and keeps its processors to
/// its end.
struct SearchTask {
  std::vector<double> times;         ///< seconds on 1, 2, ... processors; >= 0, not empty
  std::vector<std::size_t> parents;  ///< positions; no cycle
  /// Tasks of one kind have the same times, and what follows them is alike: swapping two that wait
  /// for nothing any more changes nothing. Positions serve where no two are alike.
  std::size_t kind = 0;
};

/// One task of an optimal schedule.
struct PlacedTask {
  std::size_t task = 0;
  std::int64_t processors = 1;
  double start = 0;  ///< seconds
};

struct OptimalSchedule {
  double makespan = 0;            ///< seconds
  std::vector<PlacedTask> tasks;  ///< in order of start
};

/// Returns the shortest schedule of moldable tasks, by depth-first branch and bound: which task starts
/// next, on how many processors, as early as the machine allows but not before the one placed
/// before it. Some optimal schedule is found in that order. Exponential: for a handful of tasks.
/// @param processors  of the machine, >= 1; tasks may use at most times.size() of them
/// @param upper       makespan of a known schedule, to cut the search; infinity if none is known
/// @param most_nodes  of the search; nullopt when they did not suffice
/// @returns where no schedule is shorter than `upper` (to a relative 1e-12), `upper` without tasks
[[nodiscard]] std::optional<OptimalSchedule> optimal_schedule(std::int64_t processors,
                                                              std::span<const SearchTask> tasks,
                                                              double upper,
                                                              std::int64_t most_nodes);

}  // namespace holdfast
