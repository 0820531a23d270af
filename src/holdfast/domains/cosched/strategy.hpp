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

/// What is known of one task between two events.
struct TaskState {
  bool running = true;
  std::int64_t processors = 0;  ///< sigma; 0 once it has ended
  double left = 1;              ///< alpha: fraction of the work left at `since`
  double since = 0;             ///< tlast: from when it computes with this allocation
  double finish = 0;            ///< tU: expected finish date
};

inline constexpr std::size_t kNoTask = std::numeric_limits<std::size_t>::max();

/// What a strategy may know when it decides, and the allocation it is making: the state of all tasks at the instant
/// of an event, the task that failed (if one did), and the processors that are free. No future failure.
///
/// Only eligible tasks may move: those that compute at `now`, and the faulty one. The others keep their processors.
class RedistributionState {
 public:
  /// @param faulty  index of the task that was thrown back at `now`, its state already set back; or kNoTask
  RedistributionState(std::span<const TaskTimes> times, std::span<const TaskState> tasks,
                      double now, std::size_t faulty, std::int64_t free);

  [[nodiscard]] double now() const { return now_; }
  [[nodiscard]] std::size_t faulty() const { return faulty_; }
  [[nodiscard]] std::span<const TaskState> tasks() const { return tasks_; }
  /// Tasks that may change their allocation, ascending.
  [[nodiscard]] std::span<const std::size_t> eligible() const { return eligible_; }
  [[nodiscard]] std::int64_t free() const { return free_; }
  /// Returns the allocation so far and the expected finish with it.
  [[nodiscard]] std::int64_t processors(std::size_t task) const { return draft_[task].processors; }
  [[nodiscard]] double finish(std::size_t task) const { return draft_[task].finish; }

  /// E(i, k): expected finish if the task goes from the allocation it had to k processors now: what the move costs, a
  /// first checkpoint, and the rest of its work. @pre k differs from the allocation it had
  [[nodiscard]] double moved(std::size_t task, std::int64_t k) const;
  /// V(i, k): the same, but staying put costs nothing and keeps the old plan.
  [[nodiscard]] double value(std::size_t task, std::int64_t k) const {
    return k == tasks_[task].processors ? kept(task) : moved(task, k);
  }
  /// tlast + tR(j0, alpha): the expected finish of a task that keeps its allocation.
  [[nodiscard]] double kept(std::size_t task) const;

  /// Gives a task another allocation; its expected finish becomes value(task, k), and processors are taken from or
  /// returned to the free ones. @pre k even, >= 2; enough are free
  void set(std::size_t task, std::int64_t k);
  /// The same where the caller knows value(task, k) already.
  void set(std::size_t task, std::int64_t k, double finish);

  /// V(i, j0): the expected finish of a task that stays as it is.
  [[nodiscard]] double stayed(std::size_t task) const {
    return tasks_[task].processors == 2 ? tasks_[task].finish : kept(task);
  }
  /// Takes back what the task does not need to end by `limit`: its allocation becomes the smallest k >= 2 with
  /// value(task, k) <= limit, which is what handing out pairs from one pair on would reach.
  /// @pre the task has the allocation it had, whose value `stays` = stayed(task) is <= limit
  void shrink_within(std::size_t task, double limit, double stays);

  /// Smallest k > processors(task) with k <= processors(task) + free() and value(task, k) < finish(task), or 0. A count
  /// found earlier is remembered until it is reached, so one scan serves many steps.
  [[nodiscard]] std::int64_t better(std::size_t task);

  /// Returns what became of the tasks: states after the decision.
  [[nodiscard]] std::vector<TaskState> decided() const;
  /// Returns the seconds from `now` (for the faulty task: from its readiness) until a moved task computes again, or 0.
  [[nodiscard]] double move_cost(std::size_t task) const;

 private:
  struct Draft {
    std::int64_t processors = 0;
    std::int64_t better_at = 0;
    double finish = 0;
    double left = 0;  // at_i: fraction left at `now` with the old allocation
    double base = 0;  // base_i: when a move could start
  };

  std::span<const TaskTimes> times_;
  std::span<const TaskState> tasks_;
  double now_;
  std::size_t faulty_;
  std::int64_t free_;
  std::vector<std::size_t> eligible_;
  std::vector<Draft> draft_;
};

/// A heuristic changes the allocation on the redistribution, or leaves it.
using Heuristic = std::function<void(RedistributionState&)>;

/// Decides who gets which processors at the two moments when the plan can be improved. Empty functions: nobody moves.
struct Strategy {
  Heuristic at_end;      ///< some tasks ended, others go on
  Heuristic at_failure;  ///< a task was thrown back
  /// The heuristic for failures is asked only when the faulty task is now expected to end last.
  bool only_when_last = true;
  /// Replaces Algorithm 1 (strategy `as-given`).
  std::optional<Allocation> initial;
};

// The heuristics, one file each in strategies/.

/// Free pairs go to the task expected to end last while that pays. Source: the co-scheduling report, Algorithm 3.
/// @param skip_stuck  where the last task gains nothing, try the next (decision 0024; off in the source)
void end_local(RedistributionState& redistribution, bool skip_stuck = false);
/// All eligible tasks give back all but a pair, which are then handed out again. Source: Algorithm 5; without a faulty
/// task it is EndGreedy.
void iterated_greedy(RedistributionState& redistribution);
/// How ShortestTasksFirst enters its second phase (decision 0024): as the text means it, or as its pseudo-code is written.
enum class ShortestTasksMode : std::uint8_t { text, literal };
/// The faulty task takes free pairs, then pairs of the tasks expected to end first. Source: Algorithm 4.
void shortest_tasks_first(RedistributionState& redistribution, ShortestTasksMode mode);

}  // namespace holdfast::cosched
