#pragma once

#include "holdfast/domains/checkpoint/advisor/advisor.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"

namespace holdfast::checkpoint {

/// Returns an advisor of the instance's job in simulated time: the common part of advised and adaptive-young-daly.
/// @param law  the law that the rule uses
[[nodiscard]] Made strategy_by_advisor(const Instance& instance, const StrategySpec& spec,
                                       AdvisorRule rule, const Law& law);

}  // namespace holdfast::checkpoint
