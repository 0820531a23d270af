#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

namespace holdfast::taskgraph {

/// A strategy that launches each task with the allocation that the document gives, and not before the time that it gives. It is
/// used to draw and measure a schedule of another tool, or of a proof. Otherwise it is list scheduling. More processors than a task can have
/// are cut, as engines do.
class AsGiven final : public ListStrategy {
 public:
  /// Refuses an instance in which a task has no allocation. The instance must outlive the strategy.
  [[nodiscard]] static Result<AsGiven> make(const Instance& instance,
                                            QueueOrder order = QueueOrder::fifo);

  [[nodiscard]] std::int64_t allocate(const Arrival& arrival) const override;
  [[nodiscard]] bool is_given() const override { return true; }
  [[nodiscard]] double earliest_start(const Arrival& arrival) const override {
    return instance_->given[arrival.task].start;
  }

 private:
  AsGiven(const Instance& instance, QueueOrder order) : ListStrategy{order}, instance_{&instance} {}

  const Instance* instance_;
};

}  // namespace holdfast::taskgraph
