#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/volatile/live_state.hpp"
#include "holdfast/domains/volatile/strategies.hpp"

#include <optional>
#include <string_view>

namespace holdfast::volatile_workers {

/// What a rule says in one situation.
enum class Advice : std::uint8_t {
  wait,    ///< the workers that are up cannot hold the tasks
  enrol,   ///< nothing runs: take this configuration
  keep,    ///< what runs is at least as good
  change,  ///< give up what runs for this configuration
};
[[nodiscard]] std::string_view name(Advice advice);

struct Plan {
  Advice advice = Advice::wait;
  Assignment assignment;      ///< what to run now; empty: wait
  std::int64_t workload = 0;  ///< slots of common computing that it takes (what is left, for keep)
  ConfigurationValue value;   ///< value of `assignment`, all three quantities
  bool lost = false;          ///< the configuration that ran has a member that is down
  /// The other configuration that was weighed, where something runs.
  Assignment other;
  std::optional<ConfigurationValue> other_value;
};

/// Returns one decision, with the code that the simulator runs. A passive rule keeps what runs.
/// @pre the strategy is a greedy rule, made for the instance of the state
[[nodiscard]] Plan plan(const LiveState& state, const ReadyStrategy& strategy);

}  // namespace holdfast::volatile_workers
