#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

#include <memory>
#include <vector>

namespace holdfast::taskgraph {

/// Returns the table of strategies.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// Returns the strategy for a specification and one instance, which must outlive it. It is an error if the instance lacks what
/// the strategy needs (`as-given` without allocations, `capped-lpa` without parameters for its tasks).
[[nodiscard]] Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                              const Instance& instance);

}  // namespace holdfast::taskgraph
