#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/taskgraph/allocation.hpp"
#include "holdfast/domains/taskgraph/guarantee.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

#include <optional>
#include <vector>

namespace holdfast::taskgraph {

/// What a user may set. Numbers that are not given come from Table III, for the smallest model that
/// contains the models of all tasks; `mu` comes from alpha and beta where beta is given.
struct CappedLpaOptions {
  std::optional<double> alpha = {};  ///< at least 1
  std::optional<double> beta = {};   ///< at least 1; a claim about the tasks, which is checked
  std::optional<double> mu = {};     ///< in (0, 1]
  bool per_task = false;             ///< each task by its own model: no ratio is proven
  QueueOrder order = QueueOrder::fifo;
};

/// Algorithms 3 and 4: of the allocations whose area is at most alpha times the least, the fastest,
/// reduced to the share mu of the machine.
/// Source: Perotin's thesis, section 3.4.
class CappedLpa final : public ListStrategy {
 public:
  /// Refuses tasks of model `power` and `table` where alpha and mu are not both known.
  [[nodiscard]] static Result<CappedLpa> make(const Instance& instance,
                                              const CappedLpaOptions& options);

  [[nodiscard]] std::int64_t allocate(const Arrival& arrival) const override;
  [[nodiscard]] std::optional<double> proven_ratio() const override { return proven_ratio_; }

  /// Returns what the tasks of a model are allocated by.
  [[nodiscard]] const AllocationRule& rule(SpeedupModel model) const {
    return rules_[static_cast<std::size_t>(model)];
  }
  /// Returns the beta behind proven_ratio(), where one is claimed.
  [[nodiscard]] std::optional<double> beta() const { return beta_; }

 private:
  explicit CappedLpa(QueueOrder order) : ListStrategy{order} {}

  std::int64_t processors_ = 1;
  std::vector<AllocationRule> rules_;  ///< by model
  std::optional<double> beta_;
  std::optional<double> proven_ratio_;
};

}  // namespace holdfast::taskgraph
