#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/schedule.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

#include <vector>

namespace holdfast::taskgraph {

/// A strategy that follows an optimal schedule of a small graph, found by exact search. Online strategies are measured against
/// it; it is not online itself. The search uses the failures that the instance fixes. If failures are drawn, it assumes none,
/// and attempts after the first use the same allocation.
class Optimal final : public Strategy {
 public:
  /// Makes the strategy; infeasible if the search would be too large.
  [[nodiscard]] static Result<Optimal> make(const Instance& instance);

  [[nodiscard]] std::int64_t allocate(const Arrival& arrival) const override;
  [[nodiscard]] bool is_given() const override { return true; }
  [[nodiscard]] double earliest_start(const Arrival& arrival) const override;
  [[nodiscard]] std::optional<double> proven_ratio() const override { return proven_ratio_; }

 private:
  [[nodiscard]] const Attempt& planned(const Arrival& arrival) const;

  std::vector<Schedule> attempts_;  ///< [n] attempts of each task, in order
  std::optional<double> proven_ratio_;
};

}  // namespace holdfast::taskgraph
