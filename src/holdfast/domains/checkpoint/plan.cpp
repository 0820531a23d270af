#include "holdfast/domains/checkpoint/plan.hpp"

#include "holdfast/algorithms/checkpoints/outlook.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/rule_run.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace holdfast::checkpoint {
namespace {

constexpr std::size_t kMostCheckpoints = 1'000'000;
/// Growth of Lambda over one checkpoint beyond which no checkpoint has a chance: exp(-30) = 1e-13.
constexpr double kHopeless = 30;
/// A share below this is meaningless.
constexpr double kNothing = 1e-300;
/// Ages for which the expected time is that of the law itself, and not that of its table.
constexpr std::size_t kFewAges = 512;
/// Number of checkpoints after which it is first checked whether a plan has come to where nothing survives.
constexpr std::size_t kFirstLook = 64;
/// The same for a plan that has no chance from the start, of which more is shown.
constexpr std::size_t kLateLook = 16'384;

// The time of a number of checkpoints, some of which are local.
double cost_of(const Instance& instance, std::size_t checkpoints, std::size_t locals) {
  return static_cast<double>(checkpoints - locals) * instance.checkpoint +
         static_cast<double>(locals) * instance.local.checkpoint;
}

std::size_t count_locals(std::span<const Level> levels) {
  return static_cast<std::size_t>(std::ranges::count(levels, Level::local));
}

// Time from now until the checkpoint after the last cut ends.
double end_of(const Instance& instance, const Plan& plan) {
  const std::size_t checkpoints = plan.cuts.size() - (instance.ends.final_checkpoint ? 0 : 1);
  return plan.cuts.back() + cost_of(instance, checkpoints, count_locals(plan.levels)) +
         (checkpoints == plan.cuts.size() ? instance.late.flush : 0);
}

// Adds decided checkpoints to a plan, each when the one before is safe at the earliest. Returns the work up to the last of them.
double add_cuts(const Instance& instance, std::span<const double> cuts, double left, Plan& plan) {
  const bool is_first = plan.cuts.empty();
  const double done = is_first ? 0 : plan.cuts.back();
  for (const double cut : cuts) {
    double place = cut == left ? instance.work : done + cut;
    if (instance.late.flush > 0 && !plan.cuts.empty()) {
      place = std::min(std::max(place, plan.cuts.back() + instance.late.flush), instance.work);
      if (place <= plan.cuts.back()) continue;
    }
    plan.cuts.push_back(place);
  }
  if (instance.late.flush == 0) return cuts.back();
  return plan.cuts.back() == instance.work ? left : plan.cuts.back() - done;
}

bool is_beyond_hope(const Instance& instance, const Ages& ages, double time) {
  return platform_cumulative_hazard(*instance.law, ages, time) > checkpoints::kNegligible;
}

// Keeps the checkpoints up to the first that no run survives to reach. Later ones are worth nothing, and if processors wear out
// there may be infinitely many.
void end_where_nothing_survives(const Instance& instance, const Ages& ages, Plan& plan) {
  const auto first =
      std::partition_point(plan.cuts.begin(), plan.cuts.end(), [&](const double& cut) {
        const auto number = static_cast<std::size_t>(&cut - plan.cuts.data() + 1);
        const std::size_t locals =
            plan.levels.empty() ? 0 : count_locals(std::span(plan.levels).first(number));
        return !is_beyond_hope(instance, ages, cut + cost_of(instance, number, locals));
      });
  plan.cuts.erase(std::min(first + 1, plan.cuts.end()), plan.cuts.end());
  if (!plan.levels.empty()) plan.levels.resize(plan.cuts.size());
  plan.warnings.push_back(fmt::format(
      "the plan ends after {} of work: a run without a failure until then has a chance below 1e-19",
      format_duration(plan.cuts.back())));
}

// Asks the strategy until the work is done, or nothing survives.
void decide_all(const Instance& instance, const Ages& ages, Strategy& strategy,
                checkpoints::AgesOutlook& outlook, Plan& plan) {
  double left = instance.work;
  double now = 0;
  std::int64_t locals = 0;  // since the last global checkpoint
  const HazardCurve& first = outlook.curve(instance.checkpoint);
  const bool has_chance = first.cumulative(instance.checkpoint) <= kHopeless;
  std::size_t next_look = has_chance ? kFirstLook : kLateLook;
  if (strategy.looks_past_flush()) outlook.advance(instance.late.flush);
  while (left > 0 && plan.cuts.size() <= kMostCheckpoints) {
    const State state{.work_left = left,
                      .checkpoints = static_cast<std::int64_t>(plan.cuts.size()),
                      .local = locals,
                      .outlook = outlook,
                      .now = now};
    const auto cuts = strategy.decide(state);
    if (cuts.empty()) return;
    if (plan.cuts.empty())
      plan.candidates.assign(strategy.candidates().begin(), strategy.candidates().end());
    const std::size_t before = plan.cuts.size();
    const double work = add_cuts(instance, cuts, left, plan);
    const std::span<const Level> levels = strategy.levels();
    for (const Level level : levels) {
      plan.levels.push_back(level);
      locals = level == Level::local ? locals + 1 : 0;
    }
    if (!levels.empty() && work == left) plan.levels.back() = Level::global;
    const std::size_t decided_locals =
        plan.levels.empty() ? 0 : count_locals(std::span(plan.levels).last(cuts.size()));
    const double took = work + cost_of(instance, plan.cuts.size() - before, decided_locals);
    outlook.advance(took);
    now += took;
    left -= work;
    if (std::isinf(left)) {
      if (is_beyond_hope(instance, ages, end_of(instance, plan))) return;
    } else if (left > 0 && plan.cuts.size() >= next_look) {
      next_look = 2 * plan.cuts.size();
      const HazardCurve& curve = outlook.curve(instance.checkpoint);
      if (curve.cumulative(instance.checkpoint) > kHopeless &&
          is_beyond_hope(instance, ages, end_of(instance, plan))) {
        return end_where_nothing_survives(instance, ages, plan);
      }
    }
  }
}

checkpoints::Worth worth_on_grid(const Plan& plan) {
  for (const Candidate& candidate : plan.candidates) {
    if (candidate.checkpoints != static_cast<std::int64_t>(plan.cuts.size())) continue;
    return {.expected_work = candidate.expected_work,
            .expected_time = candidate.expected_time,
            .share = candidate.expected_work / candidate.expected_time};
  }
  return plan.worth;  // the grid was too large for one decision: no candidate is the whole plan
}

// Work in a global checkpoint survives every failure; work in a local one survives a share q of them until the next global one
// ends: E_W = sum of w_k (q S(t_k) + (1 - q) S(T_k)), where T_k is the end of the first global checkpoint from k on. Where checkpoints
// are safe only L later, and a share p of them is not whole, a work is worth V_k = (1 - p) S(t_k + L) + p V_(k+1).
checkpoints::Worth evaluate_unsafe(const Instance& instance, const HazardCurve& curve,
                                   const Plan& plan, double last_cost) {
  checkpoints::Worth worth;
  double safe_globally = 0;  // S(T_k): 0 if the plan ends before that checkpoint
  double later = 0;          // V_(k+1)
  std::size_t locals = count_locals(plan.levels);
  for (std::size_t k = plan.cuts.size(); k-- > 0;) {
    const bool is_last = k + 1 == plan.cuts.size();
    const double end = plan.cuts[k] + cost_of(instance, k + 1, locals) -
                       (is_last ? instance.checkpoint - last_cost : 0);
    const bool is_saved = !is_last || last_cost > 0;
    const double until = end + (is_saved ? instance.late.flush : 0);
    const double safe = curve.survival(until);
    const double work = plan.cuts[k] - (k > 0 ? plan.cuts[k - 1] : 0);
    if (is_last) worth.expected_time = checkpoints::integrate_survival(curve, 0, until);
    if (plan.levels.empty()) {
      const double failure = is_saved ? instance.late.failure : 0;
      later = (1 - failure) * safe + failure * later;
      worth.expected_work += work * later;
      continue;
    }
    if (plan.levels[k] == Level::global) {
      safe_globally = safe;
    } else {
      --locals;
    }
    const double share = instance.local.share;
    worth.expected_work += work * (share * safe + (1 - share) * safe_globally);
  }
  worth.share = worth.expected_work / worth.expected_time;
  return worth;
}

}  // namespace

Result<Plan> make_plan(const Instance& instance, Strategy& strategy) {
  const TabulatedLaw law(*instance.law);
  const Ages ages = make_ages(initial_groups(instance));
  checkpoints::AgesOutlook outlook(law, ages);
  Plan plan;
  decide_all(instance, ages, strategy, outlook, plan);
  HOLDFAST_CHECK(status_of_rule(strategy));
  if (plan.cuts.size() > kMostCheckpoints) {
    if (!is_beyond_hope(instance, ages, end_of(instance, plan))) {
      return fail(ErrorCode::infeasible, "",
                  fmt::format("the plan has more than {} checkpoints", kMostCheckpoints));
    }
    end_where_nothing_survives(instance, ages, plan);
  }

  checkpoints::AgesOutlook start(law, ages);
  const double last_cost = instance.ends.final_checkpoint ? instance.checkpoint : 0;
  const HazardCurve& curve = start.curve(end_of(instance, plan));
  plan.worth = plan.levels.empty() && !instance.late.exist()
                   ? checkpoints::evaluate(curve, plan.cuts, instance.checkpoint, last_cost)
                   : evaluate_unsafe(instance, curve, plan, last_cost);
  if (ages.groups.size() <= kFewAges) {
    const auto exact = [&](double x) { return platform_cumulative_hazard(*instance.law, ages, x); };
    plan.worth.expected_time =
        checkpoints::integrate_survival(curve, 0, end_of(instance, plan), exact);
    plan.worth.share = plan.worth.expected_work / plan.worth.expected_time;
  }
  plan.continuous_share = plan.worth.share;
  if (strategy.quantum() > 0) plan.worth = worth_on_grid(plan);
  if (!(plan.worth.share > kNothing)) {
    plan.warnings.push_back(
        "the job has practically no chance to save anything before the next failure: its first "
        "segment is the one that "
        "is least unlikely to survive");
  }
  return plan;
}

}  // namespace holdfast::checkpoint
