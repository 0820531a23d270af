#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::arbiter {

/// One application that waits or transfers data, in the form that a decision needs.
struct Claim {
  bandwidth::Pending pending;
  double held = 0;   ///< bytes/s that it keeps at least, because it has had them only briefly; or 0
  double floor = 0;  ///< bytes/s that it gets at least if it has waited for too long
  bool is_overdue = false;  ///< true: it has waited for too long
};

/// The reason for a rate.
enum class Cause : std::uint8_t { strategy, hold, floor };

/// The answer of a decision.
struct Allocation {
  /// One rate per claim, in bytes/s; their sum is at most the bandwidth.
  std::vector<double> rates;
  std::vector<Cause> causes;
};

/// Asks the strategy, after setting aside what has priority over it: rates that are kept for a minimum time, and floors of
/// applications that have waited for too long. The strategy shares the rest among the others.
/// @param claims  in order of (posted, application)
/// @pre the sum of the kept rates is at most the bandwidth
[[nodiscard]] Allocation allocate(std::span<const Claim> claims, double bandwidth, double now,
                                  double median_yield, bandwidth::Strategy& strategy);

/// Returns one of the equal parts of a whole number; the remainder goes to the first parts.
[[nodiscard]] std::uint64_t equal_part(std::uint64_t whole, std::uint64_t parts,
                                       std::uint64_t which);

}  // namespace holdfast::arbiter
