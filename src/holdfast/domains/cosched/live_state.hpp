#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/cosched/instance.hpp"
#include "holdfast/domains/cosched/strategy.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::cosched {

/// The live state of `advise`: where each task stands at `now`, and one event.
struct LiveState {
  Instance instance;
  double now = 0;
  std::vector<TaskState> tasks;  ///< finish is filled in by the planner
  Ownership owners{0, 0};
  std::optional<std::int64_t> failed_processor;  ///< the event: this processor fails ...
  std::size_t completed = kNoTask;               ///< ... or this task ends
};
/// Document -> state, checked. Errors carry a JSON pointer.
[[nodiscard]] Result<LiveState> read_live_state(const Value& document);

}  // namespace holdfast::cosched
