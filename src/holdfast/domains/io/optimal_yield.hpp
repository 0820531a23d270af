#pragma once

#include "holdfast/domains/io/instance.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::io {

/// The result of a search for the best minimum yield of a window.
struct OptimalYield {
  double bound = 0;  ///< no strategy has a larger minimum yield
  /// true: a schedule reaches the bound, because the search was completed
  bool is_optimal = false;
  std::int64_t programs = 0;      ///< linear programs that were solved
  std::vector<GivenRates> rates;  ///< such a schedule, in the form for the strategy `as-given`
};

/// The largest number of operations in a window that is searched. They are counted as if each application were alone.
inline constexpr std::int64_t kMostOperations = 16;
inline constexpr std::int64_t kFewPrograms = 300;  ///< a limit that takes some tens of milliseconds

/// Returns the largest minimum yield that any schedule of this window can have, even with full knowledge. It uses linear
/// programming.
///
/// Operations begin and end in some order. For a fixed order, the variables of a linear program are the lengths of the
/// intervals between these events, the bytes that each operation moves in each interval, and the smallest yield. Orders are
/// built event by event, the most promising first. The program of a partial order lets later operations overlap freely and
/// gives each application the lower convex hull of its course, so it bounds every completion of that order. The first complete
/// order that is the most promising is the best. No bandwidth is left unused while an operation could use it: using it does no
/// harm, because an application that is ahead can wait until the schedule has caught up. The problem is NP-hard in general, so
/// the search stops after `most_programs` and returns a bound.
/// @param bound  yield_bound(instance); the search ends when it is reached
/// @returns nothing if the window has more than kMostOperations operations
/// @pre check(instance)
[[nodiscard]] std::optional<OptimalYield> optimal_yield(const Instance& instance, double bound,
                                                        std::int64_t most_programs = kFewPrograms);

}  // namespace holdfast::io
