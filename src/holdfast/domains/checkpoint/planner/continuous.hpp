#pragma once

#include "holdfast/domains/checkpoint/planner/goal.hpp"
#include "holdfast/domains/checkpoint/planner/grid.hpp"
#include "holdfast/domains/checkpoint/planner/placement.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"
#include "holdfast/models/failures/hazard_curve.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace holdfast::checkpoint {

/// The best plan over all numbers of checkpoints, without a time quantum (spec 3.4).
///
/// The number of checkpoints N is found by climbing: the placement of each N is solved by Newton's method, and the
/// value is unimodal in N (no interior local minimum on 320 random instances). The start is a sketch: a walk through
/// time that takes at each point the optimal period of the hazard met there. Where nothing is likely to survive that
/// long (Lambda grew by 30), the walk ends: what lies behind has weight exp(-30), and a run that gets there asks again.
class ContinuousPlanner {
 public:
  ContinuousPlanner(double checkpoint, JobEnds ends, Goal goal);

  /// Work done at each checkpoint from now on; ends at `work`, or earlier where the walk ended.
  /// @param work  seconds, > 0; may be infinite. Valid until the next call
  [[nodiscard]] std::span<const double> plan(Outlook& outlook, double work);
  /// What the last call compared, in the order of trial.
  [[nodiscard]] std::span<const Candidate> candidates() const { return candidates_; }

 private:
  [[nodiscard]] const HazardCurve& far_enough(Outlook& outlook, double work) const;
  void sketch(const HazardCurve& curve, double work);
  void climb(const HazardCurve& curve);
  bool attempt(const HazardCurve& curve, std::size_t count);
  [[nodiscard]] double survival_until(const HazardCurve& curve, double end);
  [[nodiscard]] double last_cost() const;
  void resample(std::size_t count);
  void fall_back(Outlook& outlook, double work);

  double checkpoint_;
  JobEnds ends_;
  Goal goal_;
  Placement placement_;
  GridPlanner grid_;

  double planned_work_ = 0;  ///< what the plan covers: the work, or less
  bool covers_all_ = false;  ///< planned_work_ is all the work
  double reference_ =
      0;  ///< Lambda(C): values are scaled by exp(Lambda(C)) so that they never underflow
  double known_end_ = 0;   ///< expected time of a plan that ends there ...
  double known_time_ = 0;  ///< ... is this

  std::vector<double>
      shape_;  ///< a plan that others start from: the work at checkpoint 1, 2, ... shape_count_
  double shape_count_ = 0;  ///< a real number: the last step of a sketch is cut off
  std::vector<double> trial_;
  std::vector<double> best_;
  double best_value_ = 0;
  std::vector<Candidate> candidates_;
};

}  // namespace holdfast::checkpoint
