#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/contract/strategy_spec.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::arbiter {

/// A strategy of `io` for use in real time.
struct Policy {
  std::string text;  ///< canonical: "periodic-greedy-yield:period=5"
  std::unique_ptr<bandwidth::Strategy> strategy;
};

/// The default time between decisions of periodic-greedy-yield in seconds. `io` would compute it from the window, but here the
/// window has no end.
inline constexpr double kUsualPeriod = 5;

/// Returns the strategies of io that can decide without knowing the future: all but those that take a schedule or a rule from
/// their caller.
[[nodiscard]] std::vector<StrategyEntry> policies();

/// Makes the strategy with that name; it is the same class as in the simulator.
[[nodiscard]] Result<Policy> make_policy(std::string_view text);

}  // namespace holdfast::arbiter
