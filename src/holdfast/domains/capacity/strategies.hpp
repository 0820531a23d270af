#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/capacity/simulate.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast::capacity {

/// Returns the table: one row per strategy.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// Returns a function that makes strategies for runs of one instance. The random choices of a strategy (the permutation of
/// FirstFitUnaware) come from `coin`, so that every run of a scenario is the same.
[[nodiscard]] Result<StrategyMaker> make_strategy(const StrategySpec& spec,
                                                  const Instance& instance, Stream coin);

/// Returns what to say where a live state has an objective by which this strategy does not decide; empty: nothing.
[[nodiscard]] std::string unheeded_objective(const StrategySpec& spec, const Instance& instance);

/// Refuses `under-price` without its limit, which a live state needs: it has no window with a median.
[[nodiscard]] Status check_limit(const StrategySpec& spec);

}  // namespace holdfast::capacity
