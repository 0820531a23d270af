#pragma once

#include "holdfast/domains/workflow/simulate.hpp"

#include <optional>
#include <span>
#include <vector>

namespace holdfast::workflow {

/// The decision of a strategy for one task.
struct TaskAdvice {
  std::size_t order = 0;  ///< its position in the order of starts
  double start = 0;       ///< seconds, without failures and checkpoints
  /// The largest number of tasks that run at any instant during it, itself included.
  std::uint32_t concurrency = 1;
  Cut cut;                    ///< its segments
  double segment_length = 0;  ///< seconds of work between checkpoints
  double expected_time =
      0;  ///< seconds, including failures; infinity if ages count, where it is unknown
};

/// The decisions of a strategy for all tasks of a workflow, and what follows from them.
struct Plan {
  std::vector<TaskAdvice> tasks;     ///< [n]
  double failure_free_makespan = 0;  ///< seconds, without checkpoints
  double planned_makespan = 0;       ///< seconds, with checkpoints but without failures
  double critical_path = 0;          ///< seconds
  double total_work = 0;             ///< processor-seconds
  /// 2 max r(n) of equations (6.9), (6.12), (6.13) of Perotin's thesis, where n is the number of tasks that run at the same
  /// time. Absent without failures. It is only a guide, because it holds only for large n.
  std::optional<double> ratio_bound;
};

/// Returns a plan with these cuts.
/// @param same_concurrency  the number n in `ratio_bound`. True: the same for every task, the largest of all (basic-check-more,
///     min-exp). False: each task's own number
[[nodiscard]] Plan make_plan(const PreparedInstance& prepared, std::span<const Cut> cuts,
                             bool same_concurrency);

}  // namespace holdfast::workflow
