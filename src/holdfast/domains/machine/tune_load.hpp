#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/stop.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/machine/instance.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::machine {

/// What priced periods for one part of the bandwidth came to, over all scenarios.
struct TriedLoad {
  double load = 1;
  double useful_share = 0;  ///< mean
  double error = 0;         ///< its standard error
  double behind = 0;  ///< the best load's useful share less this one, scenario by scenario; mean
  double behind_error = 0;  ///< its standard error
};

/// The search for the load of `cooperative` periods that suits jobs which stall while they wait.
struct LoadSearch {
  std::vector<TriedLoad> tried = {};  ///< by load, ascending
  std::size_t best = 0;
  TriedLoad young_daly = {};  ///< each class with its own period; its load says nothing
  std::int64_t scenarios = 0;
};

/// Simulates the machine with periods for 50 %, 55 % ... 100 % of the bandwidth, all on the same realisations.
/// @param sharing  who gets the bandwidth, and what jobs do meanwhile; its period and load are not looked at
/// @pre instance.horizon < kNever, scenarios >= 2
[[nodiscard]] Result<LoadSearch> tune_load(const Instance& instance, const StrategySpec& sharing,
                                           std::uint64_t seed, std::int64_t scenarios, Stop stop);

}  // namespace holdfast::machine
