#pragma once

#include "holdfast/algorithms/checkpoints/candidate.hpp"
#include "holdfast/algorithms/checkpoints/goal.hpp"
#include "holdfast/algorithms/checkpoints/outlook.hpp"
#include "holdfast/algorithms/checkpoints/placement.hpp"
#include "holdfast/algorithms/checkpoints/sketch.hpp"
#include "holdfast/models/failures/hazard_curve.hpp"
#include "holdfast/models/resilience/job.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::checkpoints {

/// A planner that finds the best plan over all numbers of checkpoints, without a time quantum.
///
/// The number of checkpoints N is found by hill climbing. For each N the placement is solved by Newton's method, and the value
/// is unimodal in N (no interior local minimum on 320 random instances). The climb starts from a sketch: a walk through time
/// that uses at each point the optimal period for the current hazard. The walk ends where survival is very unlikely (Lambda
/// grew by 30): anything later has weight exp(-30), and a run that gets there plans again.
class ContinuousPlanner {
 public:
  /// Makes a planner.
  /// @param checkpoint  C, seconds
  /// @param usual_period  Young and Daly's period, in seconds of work; the plan is never worse than theirs
  ContinuousPlanner(double checkpoint, JobEnds ends, Goal goal, double usual_period);

  /// Changes the costs between two plans, for a job that learns what its checkpoints cost. Parameters as in the constructor.
  void set_costs(double checkpoint, double usual_period);

  /// Returns the work done at each checkpoint from now on. It ends at `work`, or earlier where the walk ended.
  /// @param work  seconds, > 0; may be infinite. The result is valid until the next call
  [[nodiscard]] std::span<const double> plan(Outlook& outlook, double work);
  /// Returns the candidates that the last call compared, in the order in which it tried them.
  [[nodiscard]] std::span<const Candidate> candidates() const { return candidates_; }

 private:
  /// A plan and its value.
  struct Peak {
    Sketch plan;
    double value = 0;  ///< E_W / E_T or E_W, scaled
  };

  [[nodiscard]] const HazardCurve& far_enough(Outlook& outlook, double work) const;
  void climb(const HazardCurve& curve);
  void turn_round(const HazardCurve& curve, std::int64_t direction);
  std::int64_t gallop(const HazardCurve& curve, std::int64_t direction);
  bool attempt(const HazardCurve& curve, std::size_t count);
  [[nodiscard]] bool place(const HazardCurve& curve);
  [[nodiscard]] double value_of_placement(const HazardCurve& curve);
  [[nodiscard]] double survival_until(const HazardCurve& curve, double end);
  [[nodiscard]] double last_cost() const;
  void resample(std::size_t count);
  void look_further(const HazardCurve& curve);
  void take_as_it_is(const HazardCurve& curve);
  void climb_if_better(const HazardCurve& curve);
  void keep_if_better();

  double checkpoint_;
  JobEnds ends_;
  Goal goal_;
  double usual_period_;
  Placement placement_;

  Task task_;
  double known_end_ = 0;     ///< end of a plan whose expected time is known, seconds
  double known_time_ = 0;    ///< expected time of that plan, seconds
  bool has_failed_ = false;  ///< Newton's method has failed for some number of checkpoints
  bool best_is_doubtful_ = false;
  bool never_loses_ = false;  ///< climb uphill instead of using Newton's method
  /// True if the hazard falls at all checkpoints of the best plan, and its first segment is short.
  bool is_ordinary_ = false;

  std::int64_t last_step_ = 0;  ///< last step of the last climb, in checkpoints
  std::int64_t last_direction_ = 1;

  Peak peak_;  ///< best plan of the current climb
  Peak best_;  ///< best plan of all climbs
  std::vector<double> trial_;
  std::vector<Candidate> candidates_;
};

}  // namespace holdfast::checkpoints
