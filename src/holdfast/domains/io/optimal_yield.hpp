#pragma once

#include "holdfast/domains/io/instance.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::io {

/// What a search for the best minimum yield of a window came to.
struct OptimalYield {
  double bound = 0;               ///< no strategy has a larger minimum yield
  bool is_optimal = false;        ///< some schedule has it: the search ended
  std::int64_t programs = 0;      ///< linear programs that were solved
  std::vector<GivenRates> rates;  ///< such a schedule, as the strategy `as-given` runs it
};

/// Windows in which more operations than this begin, counted as if each application were alone, are not searched.
inline constexpr std::int64_t kMostOperations = 16;
inline constexpr std::int64_t kFewPrograms = 300;  ///< some tens of milliseconds

/// The largest minimum yield that a schedule of this window can have, whatever it knows, by linear programming.
///
/// Operations begin and end in some order; once it is fixed, the stretches between these events, what each operation
/// moves in each of them and the least yield are the variables of a linear program. Orders are built event by event, the
/// most promising first: the program of an order that is only begun lets what comes later overlap as it likes, each
/// application moving by the lower convex hull of its course, and so bounds all that may follow from it. The first
/// complete order on top is the best. No bandwidth is left that somebody could use: whoever is further along can wait until
/// the others' schedule has caught up, so it never harms. NP-hard in general: after `most_programs` what is left is bounded.
/// @param bound  yield_bound(instance): a search that reaches it ends
/// @returns nothing where the window has more than kMostOperations operations
/// @pre check(instance)
[[nodiscard]] std::optional<OptimalYield> optimal_yield(const Instance& instance, double bound,
                                                        std::int64_t most_programs = kFewPrograms);

}  // namespace holdfast::io
