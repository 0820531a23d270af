#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/domains/io/strategy.hpp"

#include <vector>

namespace holdfast::io {

/// The live state for `plan`: which applications wait or transfer data now.
struct LiveState {
  Instance instance;  ///< applications without phases
  double now = 0;
  /// Requests of the applications with `remaining`, in order of posting.
  std::vector<Pending> requests;
  double median_yield = 0;  ///< median yield of all applications
};

/// Reads and checks a live state. Errors name the field as a JSON pointer.
[[nodiscard]] Result<LiveState> read_live_state(const Value& document);

}  // namespace holdfast::io
