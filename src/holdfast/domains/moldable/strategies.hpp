#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/moldable/strategy.hpp"

#include <memory>
#include <span>
#include <vector>

namespace holdfast::moldable {

/// Returns the table of strategies.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// Returns the strategy for a specification. It is an error if the instance lacks what the strategy needs (`as-given` without
/// allocations).
[[nodiscard]] Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                              const Instance& instance);

}  // namespace holdfast::moldable
