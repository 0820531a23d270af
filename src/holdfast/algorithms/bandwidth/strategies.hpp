#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"

#include <memory>

/// The strategies of the thesis' chapter 7, a fresh object for each run. What their sources leave open is an argument whose
/// default is the reading for users; io's `Reading` says what the others are.
namespace holdfast::bandwidth {

[[nodiscard]] std::unique_ptr<Strategy> make_fair_share();
[[nodiscard]] std::unique_ptr<Strategy> make_fcfs();
[[nodiscard]] std::unique_ptr<Strategy> make_greedy_yield(bool ties_by_index = false);
[[nodiscard]] std::unique_ptr<Strategy> make_greedy_com(bool ties_by_index = false);
[[nodiscard]] std::unique_ptr<Strategy> make_set_10();

/// @param whole_window  the window's length stands for what is left of it
[[nodiscard]] std::unique_ptr<Strategy> make_best_next_event(bool whole_window = false);

struct LookAheadReading {
  bool ties_by_index = false;
  bool in_window = false;  ///< the horizon ends with the window, candidates in index order
  double floor = 0;        ///< share of the median yield below which the lowest yield comes first
};
[[nodiscard]] std::unique_ptr<Strategy> make_look_ahead(const LookAheadReading& reading = {});

struct PeriodicReading {
  double period = 0;     ///< seconds between decisions beside those at events, > 0
  double begin = 0;      ///< begin of the window: the clock's multiples start there
  bool rolling = false;  ///< the next extra decision is a period after the last decision
  bool ties_by_index = false;
};
[[nodiscard]] std::unique_ptr<Strategy> make_periodic(const PeriodicReading& reading);

}  // namespace holdfast::bandwidth
