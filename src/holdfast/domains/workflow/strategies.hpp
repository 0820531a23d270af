#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/workflow/strategy.hpp"

#include <memory>
#include <vector>

namespace holdfast::workflow {

/// Returns the table of strategies.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// Returns the strategy for a specification. It is an error if the instance lacks what the strategy needs: an mtbf, checkpoints
/// that take time, given segments.
[[nodiscard]] Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                              const Instance& instance);

}  // namespace holdfast::workflow
