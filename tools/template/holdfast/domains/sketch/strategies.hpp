#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/sketch/instance.hpp"
#include "holdfast/domains/sketch/strategy.hpp"

#include <memory>
#include <vector>

namespace holdfast::sketch {

/// Returns the table: one row per strategy.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// Returns a new strategy for one run. @pre spec.index is a row of the table; check(instance) holds
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(const StrategySpec& spec,
                                                      const Instance& instance);

}  // namespace holdfast::sketch
