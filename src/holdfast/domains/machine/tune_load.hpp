#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/stop.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/machine/instance.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::machine {

/// The results of priced periods for one share of the bandwidth, over all scenarios.
struct TriedLoad {
  double load = 1;
  double useful_share = 0;  ///< mean useful share
  double error = 0;         ///< standard error of the useful share
  double behind = 0;        ///< mean over scenarios of the best load's useful share minus this one
  double behind_error = 0;  ///< standard error of that mean
};

/// The search for the load of `cooperative` periods that is best for jobs which stall while they wait.
struct LoadSearch {
  std::vector<TriedLoad> tried = {};  ///< the loads, ascending
  std::size_t best = 0;
  TriedLoad young_daly = {};  ///< each class with its own period; its load is meaningless
  std::int64_t scenarios = 0;
};

/// Simulates the machine with periods for 50 %, 55 % ... 100 % of the bandwidth, all on the same realisations.
/// @param sharing  the strategy for bandwidth, and what jobs do while they wait; its period and load are ignored
/// @pre instance.horizon < kNever, scenarios >= 2
[[nodiscard]] Result<LoadSearch> tune_load(const Instance& instance, const StrategySpec& sharing,
                                           std::uint64_t seed, std::int64_t scenarios, Stop stop);

}  // namespace holdfast::machine
