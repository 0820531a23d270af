#include "holdfast/algorithms/checkpoints/continuous.hpp"

#include "holdfast/algorithms/checkpoints/objective.hpp"
#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast::checkpoints {
namespace {

/// Spans in checkpoint lengths: a plan that may take longer than kLongSpan is first searched for within kShortSpan.
constexpr double kLongSpan = 32'000;
constexpr double kShortSpan = 1000;
/// The growth of Lambda over the first segment that no good plan exceeds: w_1 lambda(t_1) < 1 at the best placement.
constexpr double kLongFirst = 2;
/// The relative difference below which two plans are equally good; the first one stays.
constexpr double kEqual = 1e-9;
/// The relative gain below which a step of a careful climb has reached the top.
constexpr double kNothingSaved = 1e-12;

}  // namespace

ContinuousPlanner::ContinuousPlanner(double checkpoint, JobEnds ends, Goal goal,
                                     double usual_period)
    : checkpoint_{checkpoint},
      ends_{ends},
      goal_{goal},
      usual_period_{usual_period},
      placement_{checkpoint} {}

void ContinuousPlanner::set_costs(double checkpoint, double usual_period) {
  checkpoint_ = checkpoint;
  usual_period_ = usual_period;
  placement_.set_checkpoint(checkpoint);
}

std::span<const double> ContinuousPlanner::plan(Outlook& outlook, double work) {
  candidates_.clear();
  best_.value = peak_.value = 0;
  has_failed_ = never_loses_ = is_ordinary_ = false;
  last_step_ = 0;
  const HazardCurve& curve = far_enough(outlook, work);
  task_ = {.checkpoint = checkpoint_, .work = work, .reference = curve.cumulative(checkpoint_)};
  known_end_ = known_time_ = 0;
  sketch_walk(curve, task_, peak_.plan);
  if (attempt(curve, static_cast<std::size_t>(std::max(1.0, std::round(peak_.plan.count)))) &&
      peak_.plan.covers_all) {
    climb(curve);
  }
  std::swap(best_, peak_);
  best_is_doubtful_ = has_failed_;
  if (has_failed_ || !is_ordinary_) look_further(curve);
  for (Candidate& candidate : candidates_)
    candidate.expected_work *= elementary::exp(-task_.reference);
  best_.plan.cuts.back() = best_.plan.work;  // exactly, and not a sum that is almost equal
  return best_.plan.cuts;
}

// A plan ends after W + N C. N C stays below W + 60 C: if checkpoints are longer than the time between failures, the sketch
// ends first. Beyond its span a curve continues with a constant hazard. For a very long job, only the part that may survive is
// considered.
const HazardCurve& ContinuousPlanner::far_enough(Outlook& outlook, double work) const {
  const double whole = std::min(2 * work + 60 * checkpoint_, 1e18);
  double span = whole <= kLongSpan * checkpoint_ ? whole : kShortSpan * checkpoint_;
  for (;;) {
    const HazardCurve& curve = outlook.curve(span);
    if (span >= whole || curve.cumulative(span) - curve.cumulative(checkpoint_) > kNegligible)
      return curve;
    span = std::min(whole, 32 * span);
  }
}

// Climbs up, or else down, in steps that double while they help and then halve. A last step longer than 1 may have passed the
// top; a careful climb then turns round. With a falling hazard, turning round would gain 2e-10 at most (2000 plans).
void ContinuousPlanner::climb(const HazardCurve& curve) {
  std::int64_t direction = 1;
  last_step_ = gallop(curve, direction);
  if (last_step_ == 0) last_step_ = gallop(curve, direction = -1);
  if (never_loses_) turn_round(curve, -direction);
  last_direction_ = direction;
}

void ContinuousPlanner::turn_round(const HazardCurve& curve, std::int64_t direction) {
  for (; last_step_ > 1; direction = -direction) last_step_ = gallop(curve, direction);
}

// Returns the length of the last step that helped, 0 if none did.
std::int64_t ContinuousPlanner::gallop(const HazardCurve& curve, std::int64_t direction) {
  const auto most = static_cast<std::int64_t>(kMostSketched);
  std::int64_t step = 1;
  std::int64_t last = 0;
  bool is_growing = true;
  while (step > 0) {
    const std::int64_t count = static_cast<std::int64_t>(peak_.plan.cuts.size()) + direction * step;
    const bool is_better =
        count >= 1 && count <= most && attempt(curve, static_cast<std::size_t>(count));
    if (is_better) last = step;
    is_growing = is_growing && is_better;
    step = is_growing ? 2 * step : step / 2;
  }
  return last;
}

// Places that many checkpoints, starting with the spread of the peak, and keeps them if they are worth more.
bool ContinuousPlanner::attempt(const HazardCurve& curve, std::size_t count) {
  resample(count);
  placement_.start_from(trial_, last_cost());
  if (!place(curve)) return false;
  const double value = value_of_placement(curve);
  if (!(value > peak_.value * (never_loses_ ? 1 + kNothingSaved : 1))) return false;
  peak_.value = value;
  placement_.read_cuts(peak_.plan.cuts);
  peak_.plan.count = static_cast<double>(count);
  is_ordinary_ = !placement_.meets_rising_hazard() &&
                 placement_.first_cumulative() - task_.reference < kLongFirst;
  return true;
}

bool ContinuousPlanner::place(const HazardCurve& curve) {
  if (never_loses_) {
    placement_.ascend(curve, task_.reference);
    return true;
  }
  const bool is_solved = placement_.solve(curve);
  has_failed_ = has_failed_ || !is_solved;
  return is_solved;
}

double ContinuousPlanner::value_of_placement(const HazardCurve& curve) {
  const double work = placement_.scaled_work(task_.reference);
  const double time = survival_until(curve, placement_.end());
  candidates_.push_back({.checkpoints = static_cast<std::int64_t>(placement_.size()),
                         .expected_work = work,
                         .expected_time = time});
  return goal_ == Goal::work ? work : work / time;
}

double ContinuousPlanner::last_cost() const {
  return peak_.plan.covers_all && !ends_.final_checkpoint ? 0 : checkpoint_;
}

// Returns E_T of a plan that ends there. It is computed from E_T of the previous plan: only the difference is integrated.
double ContinuousPlanner::survival_until(const HazardCurve& curve, double end) {
  known_time_ += end >= known_end_ ? integrate_survival(curve, known_end_, end)
                                   : -integrate_survival(curve, end, known_end_);
  known_end_ = end;
  return known_time_;
}

// Fills trial_ with `count` checkpoints spread like those of the peak.
void ContinuousPlanner::resample(std::size_t count) {
  const std::vector<double>& shape = peak_.plan.cuts;
  const double shape_count = peak_.plan.count;
  trial_.resize(count);
  if (static_cast<double>(count) == shape_count) {
    std::copy(shape.begin(), shape.end(), trial_.begin());
    return;
  }
  const std::size_t steps = shape.size();
  for (std::size_t k = 1; k < count; ++k) {
    const double place = static_cast<double>(k) * shape_count / static_cast<double>(count);
    const auto below = std::min(static_cast<std::size_t>(place), steps - 1);
    const double low = below == 0 ? 0 : shape[below - 1];
    const double length = std::min(1.0, shape_count - static_cast<double>(below));
    trial_[k - 1] = low + (shape[below] - low) * (place - static_cast<double>(below)) / length;
  }
  trial_.back() = peak_.plan.work;
}

// Starts again from other sketches if the hazard rises or Newton's method failed, so that the result is never worse than a plan
// by a simple rule.
void ContinuousPlanner::look_further(const HazardCurve& curve) {
  never_loses_ = true;
  if (last_step_ > 1) {
    peak_ = best_;
    turn_round(curve, -last_direction_);
    keep_if_better();
  }
  sketch_evenly(curve, task_, peak_.plan);
  peak_.value = 0;
  attempt(curve, static_cast<std::size_t>(std::max(1.0, std::round(peak_.plan.count))));
  climb_if_better(curve);
  sketch_equal(curve, task_, usual_period_, peak_.plan);
  take_as_it_is(curve);
  climb_if_better(curve);
  sketch_local(curve, task_, peak_.plan);
  take_as_it_is(curve);
  climb_if_better(curve);
}

// Takes the sketch itself as a plan.
void ContinuousPlanner::take_as_it_is(const HazardCurve& curve) {
  peak_.plan.count = static_cast<double>(peak_.plan.cuts.size());
  placement_.start_from(peak_.plan.cuts, last_cost());
  placement_.measure(curve);
  peak_.value = value_of_placement(curve);
}

void ContinuousPlanner::climb_if_better(const HazardCurve& curve) {
  const bool is_better = peak_.value > best_.value * (1 + kEqual);
  if (!is_better && !best_is_doubtful_) return;
  climb(curve);
  keep_if_better();
  best_is_doubtful_ = false;
}

void ContinuousPlanner::keep_if_better() {
  if (peak_.value > best_.value * (1 + kEqual)) best_ = peak_;
}

}  // namespace holdfast::checkpoints
