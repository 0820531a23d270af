#pragma once

#include "holdfast/domains/io/live_state.hpp"
#include "holdfast/domains/io/strategy.hpp"

#include <optional>
#include <vector>

namespace holdfast::io {

/// What a strategy says now, and what comes of it.
struct Decision {
  std::vector<double> rates;  ///< per application, bytes/s; 0 for those without a pending operation
  double horizon = 0;         ///< seconds until the first operation ends, or the window
  /// The application whose operation ends then; none: the window does.
  std::optional<std::size_t> event;
  /// Minimum yield of the applications with a pending operation, at that time.
  double minimum_yield = 1;
};

/// Returns one decision for a live state, without a simulator: what an arbiter calls.
[[nodiscard]] Decision decide_now(const LiveState& state, Strategy& strategy);

}  // namespace holdfast::io
