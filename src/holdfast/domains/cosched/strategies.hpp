#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/cosched/instance.hpp"
#include "holdfast/domains/cosched/strategy.hpp"

#include <vector>

namespace holdfast::cosched {

/// Returns the table: one row per strategy.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// Returns a new strategy for one run. `as-given` needs the instance's allocations; without them the result is bad_value.
[[nodiscard]] Result<Strategy> make_strategy(const StrategySpec& spec, const Instance& instance);

}  // namespace holdfast::cosched
