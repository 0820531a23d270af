#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

#include <memory>
#include <vector>

namespace holdfast::taskgraph {

/// Returns the table of strategies.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// Returns the strategy that a specification names, for one instance, which must outlive it. Fails where
/// the instance lacks what the strategy needs (`as-given` without allocations, `capped-lpa` without
/// parameters for its tasks).
[[nodiscard]] Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                              const Instance& instance);

/// Returns the document's names of QueueOrder, in its order.
[[nodiscard]] std::span<const std::string_view> queue_order_names();

}  // namespace holdfast::taskgraph
