#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/workflow/strategy.hpp"

#include <memory>
#include <vector>

namespace holdfast::workflow {

/// Returns the table of strategies.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// Returns true if the strategy computes periods from the failures, and not where none can happen.
[[nodiscard]] bool computes_period(const StrategySpec& spec);

/// Returns the strategy for a specification. It is an error if the instance lacks what the strategy needs: an mtbf, checkpoints
/// that take time, given segments.
[[nodiscard]] Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                              const Instance& instance);

}  // namespace holdfast::workflow
