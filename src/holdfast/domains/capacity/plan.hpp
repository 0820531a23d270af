#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/capacity/live_state.hpp"
#include "holdfast/domains/capacity/strategy.hpp"

namespace holdfast::capacity {

/// The decision for a job in a live state.
struct Decision {
  double category = 0;
  Strategy::Answer answer;
};

/// Returns one decision of a strategy in a live state. The future capacity is neither known nor needed.
[[nodiscard]] Result<Decision> decide(const LiveState& state, const StrategySpec& spec);

}  // namespace holdfast::capacity
