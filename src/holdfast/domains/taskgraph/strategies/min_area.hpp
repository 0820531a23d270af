#pragma once

#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

namespace holdfast::taskgraph {

/// A strategy that gives each task the fewest processors with the smallest area: one, except for some tables. This is Graham's
/// list scheduling.
class MinArea final : public ListStrategy {
 public:
  MinArea(const Instance& instance, QueueOrder order)
      : ListStrategy{order}, processors_{instance.processors} {}

  [[nodiscard]] std::int64_t allocate(const Arrival& arrival) const override;

 private:
  std::int64_t processors_;
};

}  // namespace holdfast::taskgraph
