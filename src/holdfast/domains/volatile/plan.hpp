#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/volatile/live_state.hpp"
#include "holdfast/domains/volatile/strategies.hpp"

#include <optional>
#include <string_view>

namespace holdfast::volatile_workers {

/// The advice of a rule in one situation.
enum class Advice : std::uint8_t {
  wait,    ///< the workers that are up cannot hold the tasks
  enrol,   ///< nothing is running: use this configuration
  keep,    ///< the running configuration is at least as good
  change,  ///< give up the running configuration for this one
};
[[nodiscard]] std::string_view name(Advice advice);

struct Plan {
  Advice advice = Advice::wait;
  Assignment assignment;      ///< the configuration to run now; empty: wait
  std::int64_t workload = 0;  ///< slots of common computing that it takes (for keep, the rest)
  ConfigurationValue value;   ///< value of `assignment`, all three quantities
  bool lost = false;          ///< true: a member of the running configuration is down
  /// The other configuration that was considered, if one is running.
  Assignment other;
  std::optional<ConfigurationValue> other_value;
};

/// Returns one decision, by the same code as the simulator. A passive rule keeps the running configuration.
/// @pre the strategy is a greedy rule, made for the instance of the state
[[nodiscard]] Plan plan(const LiveState& state, const ReadyStrategy& strategy);

}  // namespace holdfast::volatile_workers
