#include "holdfast/domains/checkpoint/efficiency.hpp"

#include "holdfast/contract/rule_run.hpp"
#include "holdfast/domains/checkpoint/levels/pattern.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/domains/checkpoint/spare_count.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

namespace holdfast::checkpoint {
namespace {

constexpr std::int64_t kScenarios = 20;
/// With fewer, a standard error says little.
constexpr std::int64_t kFewestScenarios = 3;
/// Work of a run of a job without end, in mean times between failures of the job.
constexpr double kLongRun = 100;

// True if the plan is all that decides how long the job takes.
bool has_closed_form(const Instance& instance, const StrategySpec& spec, const Plan& plan) {
  const bool is_plain = (instance.late.failure == 0 || std::isinf(instance.work)) &&
                        instance.time_limit == 0 && instance.checkpoint_spread == 0 &&
                        instance.recovery_spread == 0 &&
                        instance.planning.mode == PlanningTime::Mode::none;
  const bool has_both_ends = instance.ends.final_checkpoint && instance.ends.initial_recovery;
  return instance.law->name() == "exponential" && is_plain && !learns(spec) &&
         (plan.levels.empty() ||
          (has_both_ends && instance.iteration == 0 && !instance.late.exist()));
}

// The long run of a job whose nodes are replaced by spares, with the first period of its plan.
std::optional<Efficiency> with_spares(const Instance& instance, const Plan& plan) {
  const SparePlatform& platform = instance.platform;
  const bool is_known = platform.repair && !instance.recorded && !instance.events &&
                        std::isinf(instance.work) && instance.law->name() == "exponential" &&
                        plan.levels.empty() && instance.late.failure == 0 && !instance.is_elastic();
  if (!is_known) return std::nullopt;
  const SpareNodes nodes = spare_nodes(instance, platform, platform.spares.value_or(0));
  const double period = std::max(plan.cuts.front(), instance.late.flush);
  return Efficiency{.value = spare_efficiency(nodes, period, spare_costs(instance))};
}

/// Work, and the expected time that it takes, in seconds.
struct Span {
  double work = 0;
  double time = 0;
};

// The segments of a plan on one level; for a job without end, its first. Nothing if it ends before its last checkpoint is safe.
std::optional<Span> one_level(const Instance& instance, const Plan& plan, double rate) {
  const double flush = instance.late.flush;
  if (std::isinf(instance.work)) {
    const double work = boundary(instance, 0, plan.cuts.front(), flush);
    return Span{.work = work,
                .time = work * late_slowdown(work, instance.costs(), rate, instance.late)};
  }
  std::vector<double> segments;
  double done = 0;
  for (const double decided : plan.cuts) {
    const double cut = boundary(instance, done, decided, done > 0 ? done + flush : 0);
    if (cut <= done) continue;
    segments.push_back(cut - done);
    done = cut;
  }
  if (!instance.ends.final_checkpoint && segments.size() > 1 && segments.back() < flush)
    return std::nullopt;
  return Span{.work = done,
              .time = late_job_time(segments, instance.costs(), rate, instance.ends, flush)};
}

// The patterns of a plan on two levels; for a job without end, its first. Nothing if the segments of one differ.
std::optional<Span> two_levels(const Instance& instance, const Plan& plan, double rate) {
  constexpr double kSame = 1e-9;
  Span out;
  std::int64_t segments = 0;
  double first = 0;
  double before = 0;
  for (std::size_t k = 0; k < plan.cuts.size(); ++k) {
    const double work = plan.cuts[k] - before;
    before = plan.cuts[k];
    if (segments++ == 0) first = work;
    if (std::abs(work - first) > kSame * first) return std::nullopt;
    if (plan.levels[k] == Level::local) continue;
    const double mean = (before - out.work) / static_cast<double>(segments);
    out.time += expected_time({.work = mean, .segments = segments}, levels_of(instance), rate);
    out.work = before;
    segments = 0;
    if (std::isinf(instance.work)) break;
  }
  if (out.work == 0) return std::nullopt;
  return out;
}

// The job whose runs are simulated.
Instance simulated(const Instance& instance) {
  Instance out = instance;
  out.events.reset();
  out.horizon = Instance::kNever;
  out.belief.reset();  // a plan knows the law
  if (out.planning.mode == PlanningTime::Mode::measured) out.planning = {};
  if (std::isfinite(out.work)) return out;
  out.work = kLongRun * job_mtbf(instance);
  if (out.observed_mtbf || out.rejuvenation == Rejuvenation::all) return out;
  out.ages = ages_in_service(*out.law, out.processors);
  out.platform_age = out.ages.back().age;
  return out;
}

// The number of runs, at most kScenarios, that take half a second. The answer must not depend on the machine, so nothing is timed
// here: these are the times of one core of an AMD EPYC.
std::int64_t runs_in_half_a_second(const Instance& job, const StrategySpec& spec,
                                   const Plan& plan) {
  constexpr double kDrawn = 4e-7;    // seconds for each failure before the job begins
  constexpr double kMet = 2e-6;      // for each interruption
  constexpr double kPlanned = 5e-5;  // for a plan after it
  constexpr double kLeastShare = 0.01;
  const double mtbf = law_mtbf(job);
  const double start = start_date(job);
  const double born = platform_cumulative_hazard(*job.law, same_age(job.processors, 0), start);
  const double before = start / mtbf + std::min(born, static_cast<double>(job.processors));
  const double during = job.work / (mtbf * std::max(plan.worth.share, kLeastShare));
  const double seconds = kDrawn * before + (kMet + (replans(spec) ? kPlanned : 0)) * during;
  return static_cast<std::int64_t>(std::min(0.5 / seconds, static_cast<double>(kScenarios)));
}

}  // namespace

Result<std::optional<Efficiency>> efficiency_of(const Instance& instance, const StrategySpec& spec,
                                                const Plan& plan) {
  const bool has_pool = instance.platform.has_pool();
  if (has_pool) {
    if (const auto steady = with_spares(instance, plan)) return *steady;
    if (!instance.platform.repair && !instance.recorded) return std::nullopt;
  } else if (has_closed_form(instance, spec, plan)) {
    const double rate = 1 / law_mtbf(instance);
    const auto span =
        plan.levels.empty() ? one_level(instance, plan, rate) : two_levels(instance, plan, rate);
    if (span) return Efficiency{.value = span->work / span->time};
  }
  const Instance job = simulated(instance);
  const std::int64_t scenarios = runs_in_half_a_second(job, spec, plan);
  if (scenarios < kFewestScenarios) return std::nullopt;
  const auto law = std::make_shared<const TabulatedLaw>(*job.law);
  std::vector<Span> runs;
  Span all;
  for (std::int64_t scenario = 0; scenario < scenarios; ++scenario) {
    HOLDFAST_TRY(rule, make_strategy(spec, job));
    const Draw draw{.scenario = static_cast<std::uint64_t>(scenario)};
    if (spec.rule != nullptr) by_rule(*rule)->meet(draw);
    const auto realisation = Realisation::make(job, law, draw);
    const Metrics metrics = simulate(job, *rule, *realisation, replans(spec));
    HOLDFAST_CHECK(status_of_rule(*rule));
    if (metrics.given_up) return Efficiency{.scenarios = scenarios};
    runs.push_back({.work = metrics.efficiency * metrics.makespan, .time = metrics.makespan});
    all = {.work = all.work + runs.back().work, .time = all.time + runs.back().time};
  }
  // The standard error of a ratio of means.
  const double value = all.work / all.time;
  double squares = 0;
  for (const Span& run : runs)
    squares += (run.work - value * run.time) * (run.work - value * run.time);
  const auto count = static_cast<double>(scenarios);
  const double error = std::sqrt(squares * count / (count - 1)) / all.time;
  return Efficiency{.value = value, .standard_error = error, .scenarios = scenarios};
}

}  // namespace holdfast::checkpoint
