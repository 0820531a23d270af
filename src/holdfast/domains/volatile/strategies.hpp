#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/strategy.hpp"
#include "holdfast/domains/volatile/toolbox.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace holdfast::volatile_workers {

/// Returns the table: one row per strategy.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// A strategy that is ready for one run, with the objects that it owns.
struct ReadyStrategy {
  std::unique_ptr<Builder> builder;
  Strategy rules;
  /// The criterion by which configurations are built, for the greedy rules.
  std::optional<Criterion> greedy;
  Estimator estimator = Estimator::restart;
};

/// Makes the strategy ready for one run.
/// @param toolbox  of the same instance; must outlive the run
/// @param draw     the source of random numbers for `random`
using StrategyMaker = std::function<ReadyStrategy(Toolbox& toolbox, const AvailabilityDraw& draw)>;

/// Returns the maker for a specification. @returns bad_value if the instance lacks what the strategy needs: a chain, an
/// assignment
[[nodiscard]] Result<StrategyMaker> make_strategy(const StrategySpec& spec,
                                                  const Instance& instance);

}  // namespace holdfast::volatile_workers
