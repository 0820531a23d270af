#pragma once

#include "holdfast/domains/taskgraph/bounds.hpp"
#include "holdfast/domains/taskgraph/free_times.hpp"
#include "holdfast/models/speedup/speedup.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace holdfast::taskgraph {

/// What has been seen of a graph so far, each attempt counted as a task.
struct Known {
  Bounds bounds;          ///< no schedule of these tasks ends earlier
  double extra_area = 0;  ///< Strategy::extra_area() of all that was launched, processor-seconds
};

/// What a strategy may know when a task becomes available: the task, but neither its successors nor how many of its attempts
/// will fail.
struct Arrival {
  std::size_t task = 0;
  const Speedup& speedup;
  std::int64_t attempt = 1;  ///< number of the attempt, from 1
  double now = 0;            ///< seconds; not before its release
  /// The machine as filled so far under Discipline::place; null under Discipline::list.
  const FreeTimes* free_times = nullptr;
  /// The run so far, this task included; null if the strategy does not decide at arrivals, and for a decision before the run.
  const Known* known = nullptr;
};

/// How a task uses its processors once their number is chosen.
enum class Discipline : std::uint8_t {
  list,   ///< it waits in a queue; at every completion, all tasks that fit start in queue order
  place,  ///< it is placed permanently on the processors that are free first
};

/// The order in which waiting tasks are tried when processors become free. Ties go to the lower task.
enum class QueueOrder : std::uint8_t {
  fifo,  ///< the task that became available first
  lpt,   ///< the task with the longest duration first
  hpa,   ///< the task with the most processors first
  la,    ///< the task with the largest area first
  /// The task with the longest remaining path first; needs the whole graph, so it is not online.
  bottom_level,
};

/// A rule that decides on how many processors a task is launched, once, when the task becomes available. It has no state, so
/// one strategy can serve any number of runs at the same time.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Returns the number of processors for one attempt, from 1 to the task's limit on the machine.
  [[nodiscard]] virtual std::int64_t allocate(const Arrival& arrival) const = 0;

  [[nodiscard]] virtual Discipline discipline() const { return Discipline::list; }
  [[nodiscard]] virtual QueueOrder order() const { return QueueOrder::fifo; }

  /// Returns true if a decision depends on the task itself: on its attempt, or on a time before which it must not start. False
  /// for every online rule.
  [[nodiscard]] virtual bool is_given() const { return false; }
  /// Returns true if allocate() is called again for each attempt when it becomes available, instead of once per task.
  [[nodiscard]] virtual bool decides_at_arrivals() const { return is_given(); }
  /// Returns what an allocation counts for in Known::extra_area, in processor-seconds.
  [[nodiscard]] virtual double extra_area(const Arrival& /*arrival*/,
                                          std::int64_t /*processors*/) const {
    return 0;
  }
  /// Returns the time before which an attempt must not start, in seconds. Called only if is_given().
  [[nodiscard]] virtual double earliest_start(const Arrival& /*arrival*/) const { return 0; }

  /// Returns the proven upper bound on makespan / optimum for this instance, if there is one.
  [[nodiscard]] virtual std::optional<double> proven_ratio() const { return std::nullopt; }
};

/// A strategy whose tasks wait in a queue.
class ListStrategy : public Strategy {
 public:
  explicit ListStrategy(QueueOrder order) : order_{order} {}
  [[nodiscard]] QueueOrder order() const override { return order_; }

 private:
  QueueOrder order_;
};

}  // namespace holdfast::taskgraph
