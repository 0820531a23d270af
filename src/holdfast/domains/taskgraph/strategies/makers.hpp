#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

#include <memory>

namespace holdfast::taskgraph {

using Made = Result<std::unique_ptr<Strategy>>;
using StrategyMaker = Made (*)(const StrategySpec& spec, const Instance& instance);

/// Returns the parameter `priority` of a specification. @pre the strategy has this parameter
[[nodiscard]] QueueOrder order_of(const StrategySpec& spec);

}  // namespace holdfast::taskgraph
