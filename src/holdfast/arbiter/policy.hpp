#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/contract/strategy_spec.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::arbiter {

/// A strategy of `io` for real time, as it was asked for.
struct Policy {
  std::string text;  ///< canonical: "periodic-greedy-yield:period=5"
  std::unique_ptr<bandwidth::Strategy> strategy;
};

/// Seconds between decisions of periodic-greedy-yield, where nobody says: a window, from which `io` would take it, has no end
/// here.
inline constexpr double kUsualPeriod = 5;

/// Returns the rows of io's table that can decide while nobody knows what comes: all but those that take a schedule or a rule
/// from their caller.
[[nodiscard]] std::vector<StrategyEntry> policies();

/// Makes the strategy of that name; the same object as the simulator runs.
[[nodiscard]] Result<Policy> make_policy(std::string_view text);

}  // namespace holdfast::arbiter
