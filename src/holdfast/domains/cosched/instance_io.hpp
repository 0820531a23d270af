#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/cosched/generator.hpp"
#include "holdfast/domains/cosched/instance.hpp"
#include "holdfast/domains/cosched/strategy.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::cosched {

/// True where the parameters describe a generator (tasks is a number, or absent) and not an instance (a list).
[[nodiscard]] bool describes_generator(const Value& parameters);

/// Document -> instance, checked. Errors carry a JSON pointer.
[[nodiscard]] Result<Instance> read_instance(const Value& document);
[[nodiscard]] Result<GeneratorParameters> read_generator(const Value& parameters);

/// Instance -> document that reads back the same, with its header.
[[nodiscard]] Value to_value(const Instance& instance);
[[nodiscard]] Value to_value(const GeneratorParameters& parameters);

/// The live state of `advise`: where each task stands at `now`, and one event.
struct LiveState {
  Instance instance;
  double now = 0;
  std::vector<TaskState> tasks;  ///< finish is filled in by the planner
  Ownership owners{0, 0};
  std::optional<std::int64_t> failed_processor;  ///< the event: this processor fails ...
  std::size_t completed = kNoTask;               ///< ... or this task ends
};
[[nodiscard]] Result<LiveState> read_live_state(const Value& document);

}  // namespace holdfast::cosched
