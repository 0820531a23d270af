#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::capacity {

/// The live state for `plan`: what runs and what is planned now, and the job to place.
struct LiveState {
  /// A job that is running or planned. Its times are in seconds.
  struct Placed {
    std::int64_t machine = 0;
    std::int64_t cores = 1;
    std::int64_t start = 0;
    std::int64_t length = 1;
  };
  Instance instance;           ///< an instance whose only job is the one to place
  std::int64_t now = 0;        ///< seconds
  std::int64_t alive = 0;      ///< machines that are alive now
  std::int64_t used = 0;       ///< M_use
  double largest_stretch = 1;  ///< S+
  std::vector<Placed> running;
  std::vector<Placed> planned;
};
/// Reads and checks a live state. Errors carry a JSON pointer.
[[nodiscard]] Result<LiveState> read_live_state(const Value& document);

}  // namespace holdfast::capacity
