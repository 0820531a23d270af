#pragma once

#include "holdfast/models/failures/hazard_curve.hpp"

#include <vector>

namespace holdfast::checkpoints {

/// A plan that nobody has improved yet: where a search may start, or what its result is compared with.
struct Sketch {
  std::vector<double> cuts;  ///< work done at each checkpoint
  double count = 0;          ///< of checkpoints, a real number: the last step may be cut off
  double work = 0;           ///< the last cut, exactly
  bool covers_all = false;   ///< the last cut is all the work; else survival ends the plan before
};

/// What there is to be planned.
struct Task {
  double checkpoint = 0;  ///< C, seconds
  double work = 0;        ///< seconds; may be infinite
  double reference =
      0;  ///< Lambda(C). Where Lambda grew by 30 beyond it, exp(-30) = 1e-13, a plan ends
};

/// Checkpoints in one plan; a run that gets there plans again.
inline constexpr std::size_t kMostSketched = 100'000;

/// A walk through time that takes at every step Daly's period for the hazard met there.
void sketch_walk(const HazardCurve& curve, const Task& task, Sketch& out);
/// As many checkpoints in every span of time as Daly's periods for its hazards would bring: looks ahead, where a walk
/// sees only the hazard of now, which may be 0 where processors are new and wear out.
void sketch_evenly(const HazardCurve& curve, const Task& task, Sketch& out);
/// Young and Daly's rule: equal segments of at most that period.
void sketch_equal(const HazardCurve& curve, const Task& task, double period, Sketch& out);
/// The rule of `local-young-daly`: after each checkpoint, sqrt(2 C / lambda(now)), evened out over what is left.
void sketch_local(const HazardCurve& curve, const Task& task, Sketch& out);

}  // namespace holdfast::checkpoints
