#pragma once

#include "holdfast/domains/cosched/allocation.hpp"
#include "holdfast/domains/cosched/expected_time.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast::cosched {

/// The known state of one task between two events.
struct TaskState {
  bool running = true;
  std::int64_t processors = 0;  ///< sigma: processors; 0 once it has ended
  double left = 1;              ///< alpha: fraction of the work left at `since`
  double since = 0;             ///< tlast: date from which it computes with this allocation
  double finish = 0;            ///< tU: expected finish date
};

inline constexpr std::size_t kNoTask = std::numeric_limits<std::size_t>::max();

/// What a strategy may know when it decides, and the allocation that it is making: the states of all tasks at the instant of an
/// event, the task that failed (if any), and the free processors. It knows no future failures.
///
/// Only eligible tasks may move: those that compute at `now`, and the faulty one. Other tasks keep their processors.
class RedistributionState {
 public:
  /// @param faulty  index of the task that was thrown back at `now`, with its state already updated; or kNoTask
  RedistributionState(std::span<const TaskTimes> times, std::span<const TaskState> tasks,
                      double now, std::size_t faulty, std::int64_t free);

  [[nodiscard]] double now() const { return now_; }
  [[nodiscard]] std::size_t faulty() const { return faulty_; }
  [[nodiscard]] std::span<const TaskState> tasks() const { return tasks_; }
  /// Returns the tasks that may change their allocation, ascending.
  [[nodiscard]] std::span<const std::size_t> eligible() const { return eligible_; }
  [[nodiscard]] std::int64_t free() const { return free_; }
  /// Return the allocation so far and the expected finish with it.
  [[nodiscard]] std::int64_t processors(std::size_t task) const { return draft_[task].processors; }
  [[nodiscard]] double finish(std::size_t task) const { return draft_[task].finish; }

  /// Returns E(i, k): the expected finish if the task changes from its old allocation to k processors now, including the move,
  /// a first checkpoint, and the rest of its work. @pre k differs from the old allocation
  [[nodiscard]] double moved(std::size_t task, std::int64_t k) const;
  /// Returns V(i, k): the same, except that keeping the old allocation costs nothing and keeps the old plan.
  [[nodiscard]] double value(std::size_t task, std::int64_t k) const {
    return k == tasks_[task].processors ? kept(task) : moved(task, k);
  }
  /// Returns tlast + tR(j0, alpha): the expected finish of a task that keeps its allocation.
  [[nodiscard]] double kept(std::size_t task) const;

  /// Changes the allocation of a task. Its expected finish becomes value(task, k), and processors are taken from or returned to
  /// the free ones. @pre k even, >= 2; enough are free
  void set(std::size_t task, std::int64_t k);
  /// Does the same for callers who already know value(task, k).
  void set(std::size_t task, std::int64_t k, double finish);

  /// Returns V(i, j0): the expected finish of a task that keeps its old allocation.
  [[nodiscard]] double stayed(std::size_t task) const {
    return tasks_[task].processors == 2 ? tasks_[task].finish : kept(task);
  }
  /// Releases the processors that the task does not need to end by `limit`. Its allocation becomes the smallest k >= 2 with
  /// value(task, k) <= limit, which is the result of adding pairs one by one, starting with one pair.
  /// @pre the task has its old allocation, whose value `stays` = stayed(task) is <= limit
  void shrink_within(std::size_t task, double limit, double stays);

  /// Returns the smallest k > processors(task) with k <= processors(task) + free() and value(task, k) < finish(task), or 0. The
  /// result is remembered until that count is reached, so one scan serves many steps.
  [[nodiscard]] std::int64_t better(std::size_t task);

  /// Returns the states of the tasks after the decision.
  [[nodiscard]] std::vector<TaskState> decided() const;
  /// Returns the seconds from `now` (for the faulty task, from the end of its recovery) until a moved task computes again, or
  /// 0.
  [[nodiscard]] double move_cost(std::size_t task) const;

 private:
  struct Draft {
    std::int64_t processors = 0;
    std::int64_t better_at = 0;
    double finish = 0;
    double left = 0;  // at_i: fraction of the work left at `now` with the old allocation
    double base = 0;  // base_i: date at which a move could start
  };

  std::span<const TaskTimes> times_;
  std::span<const TaskState> tasks_;
  double now_;
  std::size_t faulty_;
  std::int64_t free_;
  std::vector<std::size_t> eligible_;
  std::vector<Draft> draft_;
};

/// A heuristic, which may change the allocation.
using Heuristic = std::function<void(RedistributionState&)>;

/// A strategy: its heuristics for the two kinds of events at which the plan can be improved, which decide how many processors
/// each task gets. An empty function moves no task.
struct Strategy {
  Heuristic at_end;      ///< called when some tasks have ended and others continue
  Heuristic at_failure;  ///< called when a task was thrown back
  /// True: at_failure is called only if the faulty task is now expected to end last.
  bool only_when_last = true;
  /// Replaces the result of Algorithm 1 (strategy `as-given`).
  std::optional<Allocation> initial;
};

// The heuristics, each in its own file in strategies/.

/// Gives free pairs to the task that is expected to end last while that helps. Source: the co-scheduling report, Algorithm 3.
/// @param skip_stuck  true: if the last task gains nothing, try the next one (README.md, readings; false in the source)
void end_local(RedistributionState& redistribution, bool skip_stuck = false);
/// Takes all processors but a pair from every eligible task and hands them out again. Source: Algorithm 5; without a faulty
/// task it is EndGreedy.
void iterated_greedy(RedistributionState& redistribution);
/// How ShortestTasksFirst enters its second phase (README.md, readings): as the text describes it, or as its pseudo-code is written.
enum class ShortestTasksMode : std::uint8_t { text, literal };
/// Gives the faulty task free pairs, then pairs of the tasks that are expected to end first. Source: Algorithm 4.
void shortest_tasks_first(RedistributionState& redistribution, ShortestTasksMode mode);

}  // namespace holdfast::cosched
