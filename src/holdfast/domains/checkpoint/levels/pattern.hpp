#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/models/resilience/segment.hpp"

#include <cstdint>

/// Repeating patterns of checkpoints on two levels. Failures are exponential, and local checkpoints survive a share q of them.
/// Sources: Benoit, Cavelan, Le Fevre, Robert, Sun 2017 (first order); Di, Robert, Vivien, Cappello 2017 (periodic patterns are
/// within 1 % of the best).
namespace holdfast::checkpoint {

/// A pattern of equal segments: a local checkpoint after each but the last, and a global one after the last.
struct Pattern {
  double work = 0;            ///< work of each segment, seconds
  std::int64_t segments = 1;  ///< segments from one global checkpoint to the next

  friend bool operator==(const Pattern&, const Pattern&) = default;
};

/// The costs of a job on its two levels.
struct TwoLevels {
  ResilienceCosts global;  ///< C, R and D
  LocalLevel local;        ///< C1, R1 and q
};
[[nodiscard]] TwoLevels levels_of(const Instance& instance);

/// The largest number of segments in a pattern.
inline constexpr std::int64_t kMostSegments = 10'000;

/// Returns the expected seconds from one global checkpoint to the next, including retries. For each number of saved segments
/// there is one linear equation, solved backwards. Infinite if it overflows. @param rate  failures per second, > 0
[[nodiscard]] double expected_time(const Pattern& pattern, const TwoLevels& levels, double rate);

/// Returns the number of equal segments up to a global checkpoint that is due after `ratio` local periods. To first order, the
/// local checkpoints of n segments and the work lost in them take C1 (n - 1 + ratio^2 / n), so the best n is the first for
/// which n (n + 1) reaches ratio^2.
[[nodiscard]] std::int64_t segments_between(double ratio);

/// Returns the first-order pattern. Its periods are sqrt(2 C1 / (q rate)) and sqrt(2 C / ((1 - q) rate)), adjusted to divide
/// evenly, or sqrt(2 C / rate) if local checkpoints do not pay.
[[nodiscard]] Pattern first_order_pattern(const TwoLevels& levels, double rate);

/// Returns the pattern with the smallest expected_time() per second of work, by search. It has no local checkpoints if they do
/// not pay.
[[nodiscard]] Pattern best_pattern(const TwoLevels& levels, double rate);

/// The best pattern for a job with this much work, of which each pattern does an equal part, and the number of patterns.
struct JobPattern {
  Pattern pattern;
  std::int64_t patterns = 1;
};
[[nodiscard]] JobPattern best_pattern_of_job(double work, const TwoLevels& levels, double rate);

}  // namespace holdfast::checkpoint
