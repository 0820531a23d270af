#pragma once

#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

namespace holdfast::taskgraph {

/// A strategy that gives each task the fewest processors that make it fastest, that is, everything it can use.
class MinTime final : public ListStrategy {
 public:
  MinTime(const Instance& instance, QueueOrder order)
      : ListStrategy{order}, processors_{instance.processors} {}

  [[nodiscard]] std::int64_t allocate(const Arrival& arrival) const override;

 private:
  std::int64_t processors_;
};

}  // namespace holdfast::taskgraph
