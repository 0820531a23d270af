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

/// The live state of `advise`: the state of each task at `now`, and one event.
struct LiveState {
  Instance instance;
  double now = 0;
  std::vector<TaskState> tasks;  ///< states of the tasks; the planner computes `finish`
  Ownership owners{0, 0};
  std::optional<std::int64_t> failed_processor;  ///< the event: this processor fails ...
  std::size_t completed = kNoTask;               ///< ... or this task ends
};
/// Reads and checks a live state. Errors have the JSON pointer of the field.
[[nodiscard]] Result<LiveState> read_live_state(const Value& document);

}  // namespace holdfast::cosched
