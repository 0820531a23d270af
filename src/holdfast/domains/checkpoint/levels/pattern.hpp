#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/models/resilience/segment.hpp"

#include <cstdint>

/// Checkpoints of two levels that come again and again in the same order. Failures are exponential, and a share q of them
/// leaves the local checkpoints. Sources: Benoit, Cavelan, Le Fevre, Robert, Sun 2017 (first order); Di, Robert, Vivien,
/// Cappello 2017 (periodic patterns are within 1 % of the best).
namespace holdfast::checkpoint {

/// Equal segments: a local checkpoint after each but the last, and a global one after that.
struct Pattern {
  double work = 0;            ///< of each segment, seconds
  std::int64_t segments = 1;  ///< from one global checkpoint to the next

  friend bool operator==(const Pattern&, const Pattern&) = default;
};

/// What one job pays on its two levels.
struct TwoLevels {
  ResilienceCosts global;  ///< C, R and D
  LocalLevel local;        ///< C1, R1 and q
};
[[nodiscard]] TwoLevels levels_of(const Instance& instance);

/// Segments of a pattern, at most.
inline constexpr std::int64_t kMostSegments = 10'000;

/// Expected seconds from one global checkpoint to the next, retries included: the solution of one linear equation for each
/// number of segments that are safe, found backwards. Infinite where it overflows. @param rate  failures per second, > 0
[[nodiscard]] double expected_time(const Pattern& pattern, const TwoLevels& levels, double rate);

/// The number of equal segments up to a global checkpoint that is due after `ratio` local periods. To the first order n of
/// them cost C1 (n - 1 + ratio^2 / n) more than none: the best n is the one whose n (n + 1) is the first to reach ratio^2.
[[nodiscard]] std::int64_t segments_between(double ratio);

/// The two periods of the first order, sqrt(2 C1 / (q rate)) and sqrt(2 C / ((1 - q) rate)), made even; where local checkpoints
/// do not pay, sqrt(2 C / rate).
[[nodiscard]] Pattern first_order_pattern(const TwoLevels& levels, double rate);

/// The pattern of least expected_time() for each second of work, by search. Without local checkpoints if they do not pay.
[[nodiscard]] Pattern best_pattern(const TwoLevels& levels, double rate);

/// The same for a job of so much work, of which each pattern does the same part. @returns the number of patterns too
struct JobPattern {
  Pattern pattern;
  std::int64_t patterns = 1;
};
[[nodiscard]] JobPattern best_pattern_of_job(double work, const TwoLevels& levels, double rate);

}  // namespace holdfast::checkpoint
