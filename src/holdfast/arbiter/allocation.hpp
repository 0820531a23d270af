#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::arbiter {

/// One application that waits or transfers, as a decision sees it.
struct Claim {
  bandwidth::Pending pending;
  double held = 0;   ///< bytes/s that it keeps at least, because it has not had them for long; or 0
  double floor = 0;  ///< bytes/s that it gets at least where it has waited for too long
  bool is_overdue = false;  ///< it has
};

/// What a rate goes back to.
enum class Cause : std::uint8_t { strategy, hold, floor };

struct Allocation {
  std::vector<double> rates;  ///< one per claim; their sum is at most the bandwidth
  std::vector<Cause> causes;
};

/// Asks the strategy, and keeps to what stands above it: rates that are held, and floors of who has waited for too long. The
/// strategy is asked again for the others and what is left.
/// @param claims  in order of (posted, application)
/// @pre the sum of what is held is at most the bandwidth
[[nodiscard]] Allocation allocate(std::span<const Claim> claims, double bandwidth, double now,
                                  double median_yield, bandwidth::Strategy& strategy);

/// Shares a whole number out in equal parts: what remains goes to the first.
[[nodiscard]] std::uint64_t equal_part(std::uint64_t whole, std::uint64_t parts,
                                       std::uint64_t which);

}  // namespace holdfast::arbiter
