#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"

#include <memory>

/// The strategies of the thesis's chapter 7; each run gets a new object. Where their sources leave something open, there is an
/// argument whose default is the reading for users; `Reading` in io names the alternatives.
namespace holdfast::bandwidth {

[[nodiscard]] std::unique_ptr<Strategy> make_fair_share();
[[nodiscard]] std::unique_ptr<Strategy> make_fcfs();
[[nodiscard]] std::unique_ptr<Strategy> make_greedy_yield(bool ties_by_index = false);
[[nodiscard]] std::unique_ptr<Strategy> make_greedy_com(bool ties_by_index = false);
[[nodiscard]] std::unique_ptr<Strategy> make_set_10();

/// Makes BestNextEvent.
/// @param whole_window  if true, the full length of the window is used in place of the time left in it
[[nodiscard]] std::unique_ptr<Strategy> make_best_next_event(bool whole_window = false);

/// The open points of LookAheadGreedyYield.
struct LookAheadReading {
  bool ties_by_index = false;
  /// True: the horizon ends with the window, and candidates are in index order.
  bool in_window = false;
  double floor = 0;  ///< share of the median yield; an application below it comes first
};
[[nodiscard]] std::unique_ptr<Strategy> make_look_ahead(const LookAheadReading& reading = {});

/// The open points of PeriodicGreedyYield.
struct PeriodicReading {
  double period = 0;  ///< period of the additional decisions between events, seconds, > 0
  /// The start of the window in seconds, from which the additional decisions are counted.
  double begin = 0;
  /// True: the next additional decision is one period after the last decision.
  bool rolling = false;
  bool ties_by_index = false;
};
[[nodiscard]] std::unique_ptr<Strategy> make_periodic(const PeriodicReading& reading);

}  // namespace holdfast::bandwidth
