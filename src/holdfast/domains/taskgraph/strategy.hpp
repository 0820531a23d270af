#pragma once

#include "holdfast/domains/taskgraph/free_times.hpp"
#include "holdfast/models/speedup/speedup.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace holdfast::taskgraph {

/// What a strategy may know when a task becomes available: the task. Not the tasks that wait for
/// it, not how many of its attempts will fail.
struct Arrival {
  std::size_t task = 0;
  const Speedup& speedup;
  std::int64_t attempt = 1;  ///< from 1
  double now = 0;            ///< seconds
  /// The machine as Discipline::place has filled it so far; null under Discipline::list.
  const FreeTimes* free_times = nullptr;
};

/// The use of a task's processors once they are chosen.
enum class Discipline : std::uint8_t {
  list,   ///< it waits in a queue; at every completion, all that fits is started, in queue order
  place,  ///< it is placed for good on the processors that are free first
};

/// The order in which waiting tasks are tried when processors become free. Ties go to the lower task.
enum class QueueOrder : std::uint8_t {
  fifo,          ///< earlier available first
  lpt,           ///< longer duration first
  hpa,           ///< more processors first
  la,            ///< larger area first
  bottom_level,  ///< longer remaining path first: needs the whole graph, so not online
};

/// Decides on how many processors a task is launched, once, when it becomes available. Holds no
/// state between decisions, so that one strategy serves any number of runs at once.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Processors for one attempt, from 1 to the task's limit on the machine.
  [[nodiscard]] virtual std::int64_t allocate(const Arrival& arrival) const = 0;

  [[nodiscard]] virtual Discipline discipline() const { return Discipline::list; }
  [[nodiscard]] virtual QueueOrder order() const { return QueueOrder::fifo; }

  /// Returns whether a decision depends on anything but the task's speedup: on its attempt, or on a time
  /// before which it is held back. False for every online rule.
  [[nodiscard]] virtual bool is_given() const { return false; }
  /// Time before which an attempt is held back, seconds; asked only where is_given().
  [[nodiscard]] virtual double earliest_start(const Arrival& /*arrival*/) const { return 0; }

  /// Returns what the makespan of this strategy is at most, over the optimum, as far as it is proven for
  /// this instance.
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
