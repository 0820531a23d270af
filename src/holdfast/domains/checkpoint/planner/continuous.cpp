#include "holdfast/domains/checkpoint/planner/continuous.hpp"

#include "holdfast/domains/checkpoint/planner/objective.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast::checkpoint {
namespace {

/// Growth of Lambda after which a plan ends: exp(-30) = 1e-13.
constexpr double kFarAway = 30;
/// Checkpoints in one plan; a run that gets there plans again.
constexpr std::size_t kMostSketched = 100'000;
/// In checkpoints: a plan that may take longer than kLongSpan is first looked for within kShortSpan.
constexpr double kLongSpan = 32'000;
constexpr double kShortSpan = 1000;
/// Of the grid that stands in where Newton fails: quanta times checkpoints.
constexpr double kMostStates = 4e7;

}  // namespace

ContinuousPlanner::ContinuousPlanner(double checkpoint, JobEnds ends, Goal goal)
    : checkpoint_{checkpoint},
      ends_{ends},
      goal_{goal},
      placement_{checkpoint},
      grid_{checkpoint, ends, goal} {}

std::span<const double> ContinuousPlanner::plan(Outlook& outlook, double work) {
  candidates_.clear();
  best_.clear();
  best_value_ = 0;
  const HazardCurve& curve = far_enough(outlook, work);
  reference_ = curve.cumulative(checkpoint_);
  known_end_ = known_time_ = 0;
  sketch(curve, work);
  if (!attempt(curve, static_cast<std::size_t>(std::max(1.0, std::round(shape_count_))))) {
    fall_back(outlook, planned_work_);
  } else if (covers_all_) {
    climb(curve);
  }
  best_.back() = planned_work_;
  for (Candidate& candidate : candidates_) candidate.expected_work *= std::exp(-reference_);
  return best_;
}

// A plan ends after W + N C. N C stays below W + 60 C: where checkpoints are longer than the time between failures, the
// sketch ends first. Beyond the span a curve continues with a constant hazard. Of a very long job only as much is
// looked at as may survive.
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

// Fills shape_ by a walk that takes the local optimal period at every step.
void ContinuousPlanner::sketch(const HazardCurve& curve, double work) {
  shape_.clear();
  double done = 0;
  for (;;) {
    const double time = done + static_cast<double>(shape_.size() + 1) * checkpoint_;
    const HazardValue here = curve.at(time);
    if (shape_.size() >= kMostSketched || here.cumulative - reference_ > kFarAway) break;
    const double period = daly_period(checkpoint_, 1 / here.hazard);
    if (done + period >= work) {
      shape_count_ = static_cast<double>(shape_.size()) + (work - done) / period;
      shape_.push_back(work);
      planned_work_ = work;
      covers_all_ = true;
      return;
    }
    done += period;
    shape_.push_back(done);
  }
  shape_count_ = static_cast<double>(shape_.size());
  planned_work_ = done;
  covers_all_ = false;
}

// Goes up, else down, in steps that double while they help and then halve.
void ContinuousPlanner::climb(const HazardCurve& curve) {
  const auto most = static_cast<std::int64_t>(kMostSketched);
  for (const std::int64_t direction : {1, -1}) {
    const auto start = static_cast<std::int64_t>(best_.size());
    std::int64_t step = 1;
    bool is_growing = true;
    while (step > 0) {
      const std::int64_t count = static_cast<std::int64_t>(best_.size()) + direction * step;
      const bool is_better =
          count >= 1 && count <= most && attempt(curve, static_cast<std::size_t>(count));
      is_growing = is_growing && is_better;
      step = is_growing ? 2 * step : step / 2;
    }
    if (static_cast<std::int64_t>(best_.size()) != start) return;
  }
}

// Solves the placement of that many checkpoints and keeps it if it is the best so far.
bool ContinuousPlanner::attempt(const HazardCurve& curve, std::size_t count) {
  resample(count);
  placement_.start_from(trial_, last_cost());
  if (!placement_.solve(curve)) return false;
  const double work = placement_.scaled_work(reference_);
  const double time = survival_until(curve, placement_.end());
  candidates_.push_back({.checkpoints = static_cast<std::int64_t>(count),
                         .expected_work = work,
                         .expected_time = time});
  const double value = goal_ == Goal::work ? work : work / time;
  if (!(value > best_value_)) return false;
  best_value_ = value;
  placement_.read_cuts(best_);
  shape_ = best_;
  shape_count_ = static_cast<double>(count);
  return true;
}

double ContinuousPlanner::last_cost() const {
  return covers_all_ && !ends_.final_checkpoint ? 0 : checkpoint_;
}

// E_T of a plan that ends there, from that of the plan before: only the difference is integrated.
double ContinuousPlanner::survival_until(const HazardCurve& curve, double end) {
  known_time_ += end >= known_end_ ? integrate_survival(curve, known_end_, end)
                                   : -integrate_survival(curve, end, known_end_);
  known_end_ = end;
  return known_time_;
}

// Fills trial_ with `count` checkpoints spread like those of shape_.
void ContinuousPlanner::resample(std::size_t count) {
  trial_.resize(count);
  if (static_cast<double>(count) == shape_count_) {
    std::copy(shape_.begin(), shape_.end(), trial_.begin());
    return;
  }
  const std::size_t steps = shape_.size();
  for (std::size_t k = 1; k < count; ++k) {
    const double place = static_cast<double>(k) * shape_count_ / static_cast<double>(count);
    const auto below = std::min(static_cast<std::size_t>(place), steps - 1);
    const double low = below == 0 ? 0 : shape_[below - 1];
    const double length = std::min(1.0, shape_count_ - static_cast<double>(below));
    trial_[k - 1] = low + (shape_[below] - low) * (place - static_cast<double>(below)) / length;
  }
  trial_.back() = planned_work_;
}

// Newton found nothing: plan on a grid, then let one more attempt of Newton's method smooth the result.
void ContinuousPlanner::fall_back(Outlook& outlook, double work) {
  const double count = std::max(1.0, shape_count_);
  const double quantum = std::max(checkpoint_ / 10, work * count / kMostStates);
  const auto cuts = grid_.plan(outlook, work, std::min(quantum, work));
  best_.assign(cuts.begin(), cuts.end());
  candidates_.assign(grid_.candidates().begin(), grid_.candidates().end());
  for (Candidate& candidate : candidates_) candidate.expected_work *= std::exp(reference_);
  const HazardCurve& curve = far_enough(outlook, work);
  placement_.start_from(best_, last_cost());
  if (!placement_.solve(curve)) return;
  placement_.read_cuts(trial_);
  const double rough = evaluate(curve, best_, checkpoint_, last_cost()).expected_work;
  if (evaluate(curve, trial_, checkpoint_, last_cost()).expected_work > rough) best_ = trial_;
}

}  // namespace holdfast::checkpoint
