#pragma once

#include "holdfast/domains/moldable/instance.hpp"

#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::moldable {

/// The allocations that one job may get in an allotment, in order of decreasing time and increasing area. Closed forms need no
/// list: every p in [1, pmax] is allowed.
class ChainOptions {
 public:
  /// Which allocations of a table are options. With one attempt any allocation of the frontier may be best; chains that mix
  /// allocations use only those on the lower convex hull of its (time, area) points.
  enum class Of { frontier, hull };

  ChainOptions(const Speedup& job, const Limits& limits, std::int64_t processors, Of table);

  /// Returns false if two neighbouring allocations may be mixed. A roofline job always gets pmax: with fewer processors its
  /// area is the same and its time longer.
  [[nodiscard]] bool is_fixed() const { return is_fixed_; }
  /// Returns the least time of one attempt, in seconds.
  [[nodiscard]] double least_time() const { return least_time_; }
  /// Returns the time of the allocation with the smallest area, in seconds.
  [[nodiscard]] double most_time() const { return most_time_; }
  /// Returns the least area of one attempt, in processor-seconds.
  [[nodiscard]] double least_area() const { return least_area_; }

  /// One of the allocations.
  struct Option {
    std::int64_t processors = 0;  ///< 0: there is no allocation
    double time = 0;              ///< seconds
    double area = 0;              ///< processor-seconds
  };
  /// The slowest allocation whose time is at most `limit` (the fastest one if there is none), and the next slower one, if it
  /// exists.
  struct Bracket {
    Option faster;
    Option slower;
  };
  [[nodiscard]] Bracket bracket(double limit) const;

  /// Returns the position, counted from 0 with the slowest first, of the slowest allocation that takes at most `limit` seconds.
  /// This is also the number of allocations that take longer. If all take longer, returns the last position.
  [[nodiscard]] std::int64_t slower_than(double limit) const;
  /// Returns the allocation at a position, slowest first.
  [[nodiscard]] Option at(std::int64_t position) const {
    if (position < std::ssize(points_)) {
      const FrontierPoint& point = points_[static_cast<std::size_t>(position)];
      return {point.processors, point.time, point.area};
    }
    return option(position + 1);
  }

 private:
  [[nodiscard]] Option option(std::int64_t p) const {
    const double time = job_->time(p);
    return {p, time, static_cast<double>(p) * time};
  }

  const Speedup* job_;
  std::int64_t fastest_;
  bool is_fixed_;
  double least_time_;
  double most_time_;
  double least_area_;
  bool is_table_;
  std::vector<FrontierPoint>
      points_;  ///< slowest first: all of a table; the first few of a closed form
};

/// A chain of g attempts in at most X seconds. It uses the two neighbouring allocations around X / g, and the slower one as
/// often as X allows.
struct TwoPoint {
  ChainOptions::Option faster;
  ChainOptions::Option slower;
  std::int64_t slow_attempts = 0;  ///< attempts on `slower`; the others are on `faster`
  double time = 0;                 ///< time of the chain, seconds
  double area = 0;                 ///< area of the chain, processor-seconds
  /// A lower bound on the area of any such chain, even if attempts could be split, processor-seconds.
  double relaxed_area = 0;
  /// The next larger X for which the chain has a smaller area; infinity if there is none.
  double next = std::numeric_limits<double>::infinity();
};

/// Returns such a chain. @pre limit >= attempts * options.least_time()
[[nodiscard]] TwoPoint two_point(const ChainOptions& options, std::int64_t attempts, double limit);

/// Returns the pair of allocations with the smallest area for two attempts. It is exact, while two_point() only considers
/// neighbours. If `limit` is below pairs_begin(), more than 8 allocations are slower than half of it, and nothing is returned;
/// then the area of two_point() is within 1/16 of the smallest. `relaxed_area` stays 0. Source: specification of Perotin's
/// thesis, Lemma 7.
/// @pre limit >= 2 * options.least_time()
[[nodiscard]] std::optional<TwoPoint> best_pair(const ChainOptions& options, double limit);
/// Returns the limit in seconds from which on best_pair() returns a result. @pre it does not return one for every limit
[[nodiscard]] double pairs_begin(const ChainOptions& options);

}  // namespace holdfast::moldable
