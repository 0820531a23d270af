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

// The work that is done when the next global checkpoint of a plan may begin: the one before is safe then.
double safe_from(const Instance& instance, const Plan& plan) {
  double locals = 0;
  for (std::size_t k = plan.cuts.size(); k-- > 0;) {
    if (plan.levels.empty() || plan.levels[k] == Level::global)
      return plan.cuts[k] + instance.late.flush - locals * instance.local.checkpoint;
    ++locals;
  }
  return 0;
}

// Adds decided checkpoints to a plan, global ones when the one before is safe at the earliest. Returns the work up to the last of them.
// @param levels  of the checkpoints; empty: all are global
double add_cuts(const Instance& instance, std::span<const double> cuts,
                std::span<const Level> levels, double left, Plan& plan) {
  const bool is_first = plan.cuts.empty();
  const double done = is_first ? 0 : plan.cuts.back();
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const Level level = levels.empty() || cuts[i] == left ? Level::global : levels[i];
    double place = cuts[i] == left ? instance.work : done + cuts[i];
    if (instance.late.flush > 0 && !plan.cuts.empty() && level == Level::global) {
      place = std::min(std::max(place, safe_from(instance, plan)), instance.work);
      if (place <= plan.cuts.back()) continue;
    }
    plan.cuts.push_back(place);
    if (!levels.empty()) plan.levels.push_back(level);
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
    const double work = add_cuts(instance, cuts, strategy.levels(), left, plan);
    const std::size_t decided = plan.cuts.size() - before;
    const auto levels = plan.levels.empty() ? std::span<const Level>()
                                            : std::span<const Level>(plan.levels).last(decided);
    for (const Level level : levels) locals = level == Level::local ? locals + 1 : 0;
    const double took = work + cost_of(instance, decided, count_locals(levels));
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

// Work in a checkpoint survives a share q of the failures from its end on (q = 0 without local checkpoints), and all of them when it is
// safe on the file system: E_W = sum of w_k (q S(t_k) + (1 - q) V_k). V_k is that of the first global checkpoint from k on, S(T + L),
// or where a share p of them is not whole (1 - p) S(T + L) + p V_(k+1).
checkpoints::Worth evaluate_unsafe(const Instance& instance, const HazardCurve& curve,
                                   const Plan& plan, double last_cost) {
  checkpoints::Worth worth;
  const double share = instance.local.share;
  double safe = 0;  // V: 0 if the plan ends before a global checkpoint
  std::size_t locals = count_locals(plan.levels);
  for (std::size_t k = plan.cuts.size(); k-- > 0;) {
    const bool is_last = k + 1 == plan.cuts.size();
    const double end = plan.cuts[k] + cost_of(instance, k + 1, locals) -
                       (is_last ? instance.checkpoint - last_cost : 0);
    const bool is_saved = !is_last || last_cost > 0;
    const double until = end + (is_saved ? instance.late.flush : 0);
    if (is_last) worth.expected_time = checkpoints::integrate_survival(curve, 0, until);
    if (plan.levels.empty() || plan.levels[k] == Level::global) {
      const double failure = is_saved ? instance.late.failure : 0;
      safe = (1 - failure) * curve.survival(until) + failure * safe;
    } else {
      --locals;
    }
    const double work = plan.cuts[k] - (k > 0 ? plan.cuts[k - 1] : 0);
    const double kept =
        plan.levels.empty() ? safe : share * curve.survival(end) + (1 - share) * safe;
    worth.expected_work += work * kept;
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
