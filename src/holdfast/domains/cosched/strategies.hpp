#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/cosched/instance.hpp"
#include "holdfast/domains/cosched/strategy.hpp"

#include <vector>

namespace holdfast::cosched {

/// Returns the table: one row per strategy.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// Returns a fresh strategy for one run. `as-given` needs the instance's allocations: bad_value if there are none.
[[nodiscard]] Result<Strategy> make_strategy(const StrategySpec& spec, const Instance& instance);

}  // namespace holdfast::cosched
