#pragma once

#include "holdfast/models/failures/hazard_curve.hpp"

#include <vector>

namespace holdfast::checkpoints {

/// A plan that is not optimised: the start of a search, or a plan to compare its result with.
struct Sketch {
  std::vector<double> cuts;  ///< seconds of work done at each checkpoint
  double count = 0;  ///< number of checkpoints, which is real because the last step may be cut off
  double work = 0;   ///< the last cut, in seconds
  bool covers_all =
      false;  ///< true if the last cut is all the work; else survival ends the plan earlier
};

/// The job to be planned.
struct Task {
  double checkpoint = 0;  ///< C, seconds
  double work = 0;        ///< seconds; may be infinite
  /// Lambda(C). Where Lambda grew by 30 beyond it, exp(-30) = 1e-13, a plan ends.
  double reference = 0;
};

/// The largest number of checkpoints in one plan; a run that gets to its end plans again.
inline constexpr std::size_t kMostSketched = 100'000;

/// Makes a plan step by step, each step being Daly's period for the hazard at that time.
void sketch_walk(const HazardCurve& curve, const Task& task, Sketch& out);
/// Makes a plan with as many checkpoints in every span of time as Daly's periods for its hazards. It looks ahead, while
/// sketch_walk() sees only the current hazard, which may be 0 if processors are new and wear out.
void sketch_evenly(const HazardCurve& curve, const Task& task, Sketch& out);
/// Makes a plan by Young and Daly's rule: equal segments of at most that period.
void sketch_equal(const HazardCurve& curve, const Task& task, double period, Sketch& out);
/// Makes a plan by the rule of `local-young-daly`: after each checkpoint sqrt(2 C / lambda(now)), evened out over the rest.
void sketch_local(const HazardCurve& curve, const Task& task, Sketch& out);

}  // namespace holdfast::checkpoints
