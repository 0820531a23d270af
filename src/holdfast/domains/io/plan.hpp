#pragma once

#include "holdfast/domains/io/live_state.hpp"
#include "holdfast/domains/io/strategy.hpp"

#include <optional>
#include <vector>

namespace holdfast::io {

/// The decision of a strategy for the present moment, and its effect.
struct Decision {
  /// Rates of the applications, bytes/s; 0 for those without a pending operation.
  std::vector<double> rates;
  double horizon = 0;  ///< seconds until the first operation ends, or the window if it ends before
  /// The application whose operation ends first; none if the window ends before.
  std::optional<std::size_t> event;
  /// Minimum yield of the applications with a pending operation, at that time.
  double minimum_yield = 1;
};

/// Returns one decision for a live state, without a simulator. An arbiter calls this function.
[[nodiscard]] Decision decide_now(const LiveState& state, Strategy& strategy);

}  // namespace holdfast::io
