#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/capacity/live_state.hpp"
#include "holdfast/domains/capacity/strategy.hpp"

namespace holdfast::capacity {

/// Where a job goes now.
struct Decision {
  double category = 0;
  Strategy::Answer answer;
};

/// Returns one decision of a strategy in a live state. The future capacity is not known and not asked.
[[nodiscard]] Result<Decision> decide(const LiveState& state, const StrategySpec& spec);

}  // namespace holdfast::capacity
