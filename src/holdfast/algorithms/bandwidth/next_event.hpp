#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::bandwidth {

/// One possible next event, `horizon` seconds from now: the operation at position `end` finishes or, if there is no `end`, the
/// window ends.
struct NextEvent {
  double horizon = 0;
  std::optional<std::size_t> end;
};

/// The exact search behind BestNextEvent. It finds the constant rates that give the lexicographically largest yields at the
/// next event that can be predicted.
///
///     bytes
///       |                                 /   b u: all that the file system can move by u
///       |                              /   . '
///       |                           /  . '        need(u): all that has to be moved by u, if operation `end`
///       |                       / . '             finishes at u (all that remains of it) and every other yield is
///       |      need(u)      . '                   at least y then. Operation i needs nothing before w_i, where its
///       |  ____________ . '  |                    yield falls to y, and y times its bandwidth per second from then on.
///       |            /       |
///       |         /     |    |
///       +------/--------+----+---------------+-----> u, seconds from now
///       0            low   best            high
///
/// Event (end, u) reaches the level y if need(u) <= b u. need() is piecewise linear and convex, so the gap between the two is
/// smallest where the slope of need() exceeds b: at one bend (`best`), or at the end of [low, high] nearest to it. One such
/// minimiser per operation decides whether y can be reached, and the largest y that can be reached is the smallest yield of the
/// answer. Before `low` some operation would need more than its own bandwidth; after `high` some operation has finished
/// earlier.
///
/// Source: thesis, section 7.4.3 and Appendix B state the problem; the method is ours (domains/io/README.md).
class NextEventSearch {
 public:
  /// Returns the best event; volumes() then has its volumes. The object can be used again, and only its memory is kept.
  /// @param window  seconds until the window ends, > 0; may be infinite
  /// @pre the requests ask for more than the available bandwidth
  NextEvent best(const Situation& situation, double window);
  /// Returns the bytes that each operation moves until the event of the last best() or fill().
  [[nodiscard]] std::span<const double> volumes() const { return volumes_; }
  /// Returns the largest level that can be reached, after best().
  [[nodiscard]] double level() const { return level_; }

 private:
  // Sorts the lines of the needs for one level by their starts.
  void prepare(double level);
  [[nodiscard]] double need_before(double horizon, std::size_t without) const;
  [[nodiscard]] double gap(double horizon, std::size_t end) const;
  [[nodiscard]] bool reaches_window(double level) const;
  [[nodiscard]] std::optional<double> minimiser(std::size_t end) const;
  std::optional<NextEvent> reach(double level);
  double fill(const NextEvent& event);
  void sort_bends();
  double raise_level();
  double raise_level_of(std::size_t end, double low, double high);
  [[nodiscard]] double growth(double horizon, std::size_t end) const;
  NextEvent choose();
  void collect(double level, std::vector<NextEvent>& out);
  [[nodiscard]] double earliest(std::size_t end, double latest) const;
  void sorted_yields(double horizon, std::vector<double>& out) const;
  [[nodiscard]] std::size_t started_before(double horizon, bool or_then) const;

  Situation situation_;
  double window_ = 0;
  double level_ = 0;
  // The values below belong to the prepared level.
  double low_ = 0, high_ = 0;
  std::size_t low_of_ = 0, high_of_ = 0;  // the requests that set these two ends, if any
  double prepared_ = 0;
  std::vector<std::uint32_t> order_;
  std::vector<double> start_, offset_;  // per request: w_i, b_i (y tau_i - P_i)
  std::vector<double> sorted_start_;
  std::vector<double> sum_slope_, sum_offset_;  // prefix sums in that order
  std::vector<double> volumes_;
  std::vector<std::pair<double, double>> bends_;  // for fill(): (level, change of slope)
  std::vector<NextEvent> events_;
  std::vector<double> yields_, others_;
};

}  // namespace holdfast::bandwidth
