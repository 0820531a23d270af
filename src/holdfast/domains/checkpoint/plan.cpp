#include "holdfast/domains/checkpoint/plan.hpp"

#include "holdfast/domains/checkpoint/outlook.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace holdfast::checkpoint {
namespace {

constexpr std::size_t kMostCheckpoints = 1'000'000;
/// An expected efficiency below this says nothing more.
constexpr double kHopeless = 1e-300;

// Time from now until the checkpoint after the last cut ends.
double end_of(const Instance& instance, const std::vector<double>& cuts) {
  const auto checkpoints =
      static_cast<double>(cuts.size() - (instance.ends.final_checkpoint ? 0 : 1));
  return cuts.back() + checkpoints * instance.checkpoint;
}

Worth worth_on_grid(const Plan& plan) {
  for (const Candidate& candidate : plan.candidates) {
    if (candidate.checkpoints != static_cast<std::int64_t>(plan.cuts.size())) continue;
    return {.expected_work = candidate.expected_work,
            .expected_time = candidate.expected_time,
            .efficiency = candidate.expected_work / candidate.expected_time};
  }
  return plan.worth;  // a grid too large for one decision: no candidate stands for the whole
}

}  // namespace

Result<Plan> make_plan(const Instance& instance, Strategy& strategy) {
  const TabulatedLaw law(*instance.law);
  const Ages ages = make_ages(initial_groups(instance));
  AgesOutlook outlook(law, ages);
  Plan plan;
  double left = instance.work;
  double done = 0;
  while (left > 0 && plan.cuts.size() <= kMostCheckpoints) {
    const State state{.work_left = left,
                      .checkpoints = static_cast<std::int64_t>(plan.cuts.size()),
                      .outlook = outlook};
    const auto cuts = strategy.decide(state);
    if (plan.cuts.empty())
      plan.candidates.assign(strategy.candidates().begin(), strategy.candidates().end());
    for (const double cut : cuts) plan.cuts.push_back(done + cut);
    if (cuts.back() == left) plan.cuts.back() = instance.work;
    outlook.advance(cuts.back() + static_cast<double>(cuts.size()) * instance.checkpoint);
    left -= cuts.back();
    done = plan.cuts.back();
    const bool is_endless = std::isinf(left);
    if (is_endless &&
        platform_cumulative_hazard(*instance.law, ages, end_of(instance, plan.cuts)) > kNegligible)
      break;
  }
  if (plan.cuts.size() > kMostCheckpoints) {
    return fail(ErrorCode::infeasible, "",
                fmt::format("the plan has more than {} checkpoints", kMostCheckpoints));
  }

  AgesOutlook start(law, ages);
  const double last_cost = instance.ends.final_checkpoint ? instance.checkpoint : 0;
  plan.worth =
      evaluate(start.curve(end_of(instance, plan.cuts)), plan.cuts, instance.checkpoint, last_cost);
  plan.continuous_efficiency = plan.worth.efficiency;
  if (strategy.quantum() > 0) plan.worth = worth_on_grid(plan);
  if (!(plan.worth.efficiency > kHopeless)) {
    plan.warnings.push_back(
        "the job has practically no chance to save anything before the next failure: its first "
        "segment is the one that "
        "is least unlikely to survive");
  }
  return plan;
}

}  // namespace holdfast::checkpoint
