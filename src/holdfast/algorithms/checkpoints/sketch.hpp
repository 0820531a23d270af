#pragma once

#include "holdfast/models/failures/hazard_curve.hpp"

#include <vector>

namespace holdfast::checkpoints {

/// A plan that is not optimised. It is the start of a search, or a plan to compare with the result of a search.
struct Sketch {
  std::vector<double> cuts;  ///< seconds of work done at each checkpoint
  double count = 0;          ///< number of checkpoints, not whole if the last step was cut off
  double work = 0;           ///< the last cut, in seconds
  /// True if the last cut is all the work; else survival ends the plan earlier.
  bool covers_all = false;
};

/// The job to be planned.
struct Task {
  double checkpoint = 0;  ///< C, seconds
  double work = 0;        ///< seconds; may be infinite
  /// Lambda(C). A plan ends where Lambda has grown by 30 beyond it; exp(-30) = 1e-13.
  double reference = 0;
};

/// The largest number of checkpoints in one plan. A run that gets to the end of the plan makes a new plan.
inline constexpr std::size_t kMostSketched = 100'000;

/// Makes a plan step by step; each step is Daly's period for the hazard at that time.
void sketch_walk(const HazardCurve& curve, const Task& task, Sketch& out);
/// Makes a plan with as many checkpoints in each span of time as Daly's periods for the hazards in it. It looks ahead, whereas
/// sketch_walk() sees only the current hazard, which may be 0 for new processors that wear out.
void sketch_evenly(const HazardCurve& curve, const Task& task, Sketch& out);
/// Makes a plan by Young and Daly's rule: equal segments, each at most one period long.
void sketch_equal(const HazardCurve& curve, const Task& task, double period, Sketch& out);
/// Makes a plan by the rule of `local-young-daly`: after each checkpoint a segment of sqrt(2 C / lambda(now)), adjusted to
/// divide the rest evenly.
void sketch_local(const HazardCurve& curve, const Task& task, Sketch& out);

}  // namespace holdfast::checkpoints
