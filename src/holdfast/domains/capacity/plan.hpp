#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/capacity/live_state.hpp"

#include <cstdint>
#include <optional>

namespace holdfast::capacity {

/// Where a job goes now.
struct Decision {
  double category = 0;
  std::optional<std::int64_t> target;   ///< machine of its category; absent for first fit
  std::optional<std::int64_t> machine;  ///< absent: it waits
  std::optional<std::int64_t> start;
};

/// One decision of a strategy in a live state. The future capacity is not known and not asked.
[[nodiscard]] Result<Decision> decide(const LiveState& state, const StrategySpec& spec);

}  // namespace holdfast::capacity
