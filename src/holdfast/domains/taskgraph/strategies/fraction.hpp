#pragma once

#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

namespace holdfast::taskgraph {

/// A strategy that gives each task a fixed share of the machine, or fewer processors if the task is fastest with fewer.
class Fraction final : public ListStrategy {
 public:
  /// @param share  share of the machine, in (0, 1]; rounded down to whole processors, at least one
  Fraction(const Instance& instance, double share, QueueOrder order);

  [[nodiscard]] std::int64_t allocate(const Arrival& arrival) const override;

 private:
  std::int64_t processors_;
  std::int64_t most_;
};

}  // namespace holdfast::taskgraph
