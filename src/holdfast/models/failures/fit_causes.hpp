#pragma once

#include "holdfast/kernel/lifetime.hpp"

#include <cstdint>
#include <optional>
#include <span>

/// Why units fail more often than one constant rate says. Four causes, each by what only it leaves in a log.
namespace holdfast {

/// Within this time a failure after a repair is called soon, and failures of different units are called together, seconds.
inline constexpr double kSoonAfterRepair = 86400;
inline constexpr double kTogether = 60;
/// The first time in service, in which infant mortality shows, seconds.
inline constexpr double kInfancy = 30 * 86400.0;

/// What was seen, what chance would show, and the probability that chance shows as much.
struct CauseTest {
  double seen = 0;
  double expected = 0;
  double p_value = 1;
};

/// The tests; one that the log does not allow is absent. Each is one-sided.
struct CauseTests {
  /// Correlation of a unit's failures in both halves of the observation: units that are worse for good.
  std::optional<CauseTest> lemon;
  /// Share of the repairs that another failure of the unit follows soon, against a constant rate of each unit.
  std::optional<CauseTest> failed_repair;
  /// Failures of units in their first time in service, against the mean rate.
  std::optional<CauseTest> infant;
  /// Share of the failures that one of another unit follows at once, against independent units.
  std::optional<CauseTest> cascade;
};

/// An outage of a unit, seconds on one clock.
struct UnitOutage {
  std::uint32_t unit = 0;
  double down = 0;
  double up = 0;  ///< infinity: not repaired
};

/// Tests the outages of `units` units that were observed from `from` to `to`.
/// @param outages  in order of time, one at a time for each unit
/// @param begun    when units came into service, of those for which it is known and lies in the observation
[[nodiscard]] CauseTests cause_tests(std::span<const UnitOutage> outages, std::int64_t units,
                                     double from, double to,
                                     std::span<const UnitOutage> begun = {});

}  // namespace holdfast
