#pragma once

#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

namespace holdfast::taskgraph {

/// Places each task, as it becomes available, where it completes first given all tasks placed
/// before; nothing is moved later. Of completions that are equal to a relative 1e-12, the fewest
/// processors.
///
/// The processors that are free first form a prefix of the sorted free times. Within a run of equal
/// free times more processors only make a task faster, so the end of each run, and the task's
/// fastest number, are all there is to compare: O(runs + log P) per task, for a table O(P). Source:
/// Wang and Cheng 1992 (3 - 2/P for roofline tasks), as read in Perotin's thesis, section 3.2.
class EarliestCompletion final : public Strategy {
 public:
  explicit EarliestCompletion(const Instance& instance) : processors_{instance.processors} {}

  [[nodiscard]] std::int64_t allocate(const Arrival& arrival) const override;
  [[nodiscard]] Discipline discipline() const override { return Discipline::place; }

 private:
  std::int64_t processors_;
};

}  // namespace holdfast::taskgraph
