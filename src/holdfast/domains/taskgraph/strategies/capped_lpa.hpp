#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/taskgraph/allocation.hpp"
#include "holdfast/domains/taskgraph/guarantee.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

#include <optional>
#include <vector>

namespace holdfast::taskgraph {

/// The options for users. Parameters that are not given come from Table III, for the smallest model that contains the models of
/// all tasks; if beta is given, `mu` follows from alpha and beta.
struct CappedLpaOptions {
  std::optional<double> alpha = {};  ///< at least 1
  std::optional<double> beta = {};   ///< at least 1; a claim about the tasks, which is checked
  std::optional<double> mu = {};     ///< in (0, 1]
  bool per_task = false;             ///< each task uses its own model; no ratio is proven
  QueueOrder order = QueueOrder::fifo;
};

/// Returns the options in a specification of capped-lpa, or of a strategy that has its parameters.
[[nodiscard]] CappedLpaOptions capped_lpa_options(const StrategySpec& spec);

/// Algorithms 3 and 4: the fastest allocation whose area is at most alpha times the smallest, reduced to the share mu of the
/// machine.
/// Source: Perotin's thesis, section 3.4.
class CappedLpa final : public ListStrategy {
 public:
  /// Makes the strategy. Refuses tasks of model `power` and `table` unless alpha and mu are both known.
  [[nodiscard]] static Result<CappedLpa> make(const Instance& instance,
                                              const CappedLpaOptions& options);

  [[nodiscard]] std::int64_t allocate(const Arrival& arrival) const override;
  [[nodiscard]] std::optional<double> proven_ratio() const override { return proven_ratio_; }

  /// Returns the rule for the tasks of a model.
  [[nodiscard]] const AllocationRule& rule(SpeedupModel model) const {
    return rules_[static_cast<std::size_t>(model)];
  }
  /// Returns a beta that holds for the tasks, the one behind proven_ratio(), if one is known.
  [[nodiscard]] std::optional<double> beta() const { return beta_; }

 private:
  explicit CappedLpa(QueueOrder order) : ListStrategy{order} {}

  std::int64_t processors_ = 1;
  std::vector<AllocationRule> rules_;  ///< rule of each model
  std::optional<double> beta_;
  std::optional<double> proven_ratio_;
};

}  // namespace holdfast::taskgraph
