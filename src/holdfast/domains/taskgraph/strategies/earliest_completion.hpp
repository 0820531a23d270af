#pragma once

#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

namespace holdfast::taskgraph {

/// A strategy that places each task, as soon as it is available, where it completes first given all tasks placed before; a
/// placed task is never moved. Among completions that agree to a relative 1e-12, it uses the fewest processors.
///
/// The processors that are free first form a prefix of the sorted free times. Within a run of equal free times more processors
/// only make a task faster. So only the end of each run and the task's fastest number of processors must be compared: O(runs +
/// log P) per task, O(P) for a table. Source: Wang and Cheng 1992 (3 - 2/P for roofline tasks), as read in Perotin's thesis,
/// section 3.2.
class EarliestCompletion final : public Strategy {
 public:
  explicit EarliestCompletion(const Instance& instance) : processors_{instance.processors} {}

  [[nodiscard]] std::int64_t allocate(const Arrival& arrival) const override;
  [[nodiscard]] Discipline discipline() const override { return Discipline::place; }

 private:
  std::int64_t processors_;
};

}  // namespace holdfast::taskgraph
