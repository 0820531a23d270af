#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/machine/instance.hpp"
#include "holdfast/domains/machine/strategy.hpp"

#include <vector>

namespace holdfast::machine {

/// Returns the table of strategies.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// Returns a new strategy for one run.
/// @pre spec.index is a row of the table; check(instance) holds
/// @returns an error if its rule for periods needs a law that the instance does not have
[[nodiscard]] Result<Strategy> make_strategy(const StrategySpec& spec, const Instance& instance);

/// Returns true if the strategy uses prices of the bandwidth, which are computed from the mean of the failure law.
[[nodiscard]] bool uses_prices(const StrategySpec& spec);

}  // namespace holdfast::machine
