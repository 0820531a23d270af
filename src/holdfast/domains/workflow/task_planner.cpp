#include "holdfast/domains/workflow/task_planner.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <utility>

namespace holdfast::workflow {
namespace {

/// Processors of known ages that fail `weight` times as often as their law says.
class WeightedOutlook final : public checkpoints::Outlook {
 public:
  WeightedOutlook(const TabulatedLaw& law, const Ages& ages, double weight) : law_{law} {
    for (const AgeGroup& group : compressed(ages).groups) {
      terms_.push_back({.age = group.age, .weight = weight * static_cast<double>(group.count)});
    }
  }

  const HazardCurve& curve(double span) override {
    curve_.assign(law_, terms_, span, CurveAccuracy::precise);
    return curve_;
  }
  void cumulative(std::span<const double> x, std::span<double> out) override {
    const HazardCurve& whole = curve(x.back());
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = whole.cumulative(x[i]);
  }

 private:
  const TabulatedLaw& law_;
  std::vector<HazardTerm> terms_;
  HazardCurve curve_;
};

// True if one segment is certainly the best plan. A plan of more saves at most the whole work, and lasts C longer: with E the
// expected time of one segment, S1 = S(W + C), S2 = S(W + 2C), its share is at most W / (E + C S2), that of one segment W S1 / E,
// and E is at most W + C.
bool is_one_best(const Law& law, const Ages& ages, double weight, double work, double checkpoint) {
  const auto survival = [&](double x) {
    return elementary::exp(-weight * platform_cumulative_hazard(law, ages, x));
  };
  const double once = survival(work + checkpoint);
  return checkpoint * once * survival(work + 2 * checkpoint) >= (work + checkpoint) * (1 - once);
}

}  // namespace

TaskPlanner::TaskPlanner(const Instance& instance, std::shared_ptr<const TabulatedLaw> law,
                         std::vector<double> weights)
    : instance_{&instance},
      law_{std::move(law)},
      weights_{std::move(weights)},
      planner_{1, {}, checkpoints::Goal::share, 1} {}

std::span<const double> TaskPlanner::plan(std::size_t task, const Ages& ages, double left) {
  const double checkpoint = instance_->checkpoint(task);
  const double weight = weights_[task];
  if (is_one_best(law_->law(), ages, weight, left, checkpoint)) {
    whole_ = left;
    return {&whole_, 1};
  }
  WeightedOutlook outlook(*law_, ages, weight);
  planner_.set_costs(checkpoint,
                     young_daly_period(checkpoint, 1 / (weight * instance_->rate(task))));
  return planner_.plan(outlook, left);
}

std::vector<Cut> planned_cuts(const Situation& situation, const std::vector<double>& weights) {
  const Instance& instance = *situation.instance;
  TaskPlanner planner(instance, std::make_shared<const TabulatedLaw>(*instance.law), weights);
  std::vector<Cut> out(instance.size());
  for (std::size_t task = 0; task < out.size(); ++task) {
    const double length = instance.lengths[task];
    double left = length;
    double age = instance.platform_age + situation.schedule->starts[task];
    out[task].segments = 0;
    while (left > 0 && out[task].segments < kMostSegments) {
      const auto cuts = planner.plan(task, same_age(instance.width(task), age), left);
      const auto count = static_cast<std::int64_t>(cuts.size());
      out[task].segments += count;
      left -= cuts.back();
      age += cuts.back() + static_cast<double>(count) * instance.checkpoint(task);
    }
    out[task].segments = std::max<std::int64_t>(out[task].segments, 1);
    out[task].period = length / static_cast<double>(out[task].segments);
  }
  return out;
}

std::vector<double> importance(const Situation& situation) {
  const Instance& instance = *situation.instance;
  const FailureFree& schedule = *situation.schedule;
  const std::vector<double> levels = bottom_levels(instance.graph, instance.lengths);
  std::vector<double> out(instance.size());
  for (std::size_t task = 0; task < out.size(); ++task) {
    const TaskView view = situation.view(task);
    const double slack = std::max(0.0, schedule.makespan - schedule.starts[task] - levels[task]);
    out[task] = 1 + elementary::log(static_cast<double>(view.concurrency)) *
                        std::max(0.0, 1 - slack / view.young_daly());
  }
  return out;
}

}  // namespace holdfast::workflow
