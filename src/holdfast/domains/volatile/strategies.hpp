#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/strategy.hpp"
#include "holdfast/domains/volatile/toolbox.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace holdfast::volatile_workers {

/// The table: one row per strategy.
[[nodiscard]] std::vector<StrategyEntry> strategy_entries();

/// A strategy ready for one run, with what it owns.
struct ReadyStrategy {
  std::unique_ptr<Builder> builder;
  Strategy rules;
  /// By what configurations are built, where that is one of the greedy rules.
  std::optional<Criterion> greedy;
  Estimator estimator = Estimator::restart;
};

/// @param luck  where `random` draws
/// @returns bad_value where the instance lacks what the strategy needs: a chain, an assignment
[[nodiscard]] Result<ReadyStrategy> make_strategy(const StrategySpec& spec, Toolbox& toolbox,
                                                  const Luck& luck);
/// The same error without making anything.
[[nodiscard]] Status check_strategy(const StrategySpec& spec, const Instance& instance);

}  // namespace holdfast::volatile_workers
