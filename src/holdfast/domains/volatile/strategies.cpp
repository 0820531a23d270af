#include "holdfast/domains/volatile/strategies.hpp"

#include "holdfast/base/value.hpp"
#include "holdfast/domains/volatile/strategies/as_given.hpp"
#include "holdfast/domains/volatile/strategies/greedy.hpp"
#include "holdfast/domains/volatile/strategies/observed.hpp"
#include "holdfast/domains/volatile/strategies/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace holdfast::volatile_workers {
namespace {

constexpr auto kEstimators = std::to_array<std::string_view>({"exact", "paper", "restart"});
constexpr Parameter kEstimator{.name = "estimator",
                               .summary =
                                   "which expected duration: if the attempt succeeds (exact), as "
                                   "published (paper), or until success with restarts (restart)",
                               .kind = Kind::choice,
                               .fallback = "restart",
                               .choices = kEstimators};
constexpr Parameter kKeepData{
    .name = "keep_data",
    .summary = "workers that stay enrolled keep the data that they received",
    .kind = Kind::flag,
    .fallback = "true"};
constexpr Parameter kValueReclaimed{
    .name = "value_reclaimed",
    .summary = "count a reclaimed member with its probability of coming back",
    .kind = Kind::flag,
    .fallback = "false"};
constexpr Parameter kShare{
    .name = "share",
    .summary = "use only workers that were up in at least this share of the slots so far",
    .range = between(0, 1),
    .fallback = "0.5"};

constexpr auto kPassive = std::to_array<Parameter>({kEstimator, kKeepData});
constexpr auto kProactive = std::to_array<Parameter>({kEstimator, kKeepData, kValueReclaimed});
constexpr auto kPlain = std::to_array<Parameter>({kKeepData});
constexpr auto kThreshold = std::to_array<Parameter>({kShare, kKeepData});

constexpr std::string_view kReport = "Casanova et al. 2012, section 5";
constexpr std::string_view kOurs = "extension of Casanova et al. 2012";
constexpr std::string_view kAsked = "asked for in the conclusion of Casanova et al. 2012";

using Switches = std::optional<Criterion>;
constexpr auto P = Criterion::probability;
constexpr auto E = Criterion::expected;
constexpr auto Y = Criterion::yield;
constexpr auto AY = Criterion::apparent_yield;
constexpr auto T = Criterion::restart;

// The kinds of builders that a row can make.
enum class Kindness : std::uint8_t { greedy, random, observed, as_given };

struct Row {
  StrategyEntry entry;
  Kindness kind = Kindness::greedy;
  Criterion builds = E;
  Switches switches = {};
  Observed::Prefer prefer = Observed::Prefer::fastest;
};

constexpr Row passive(std::string_view name, Criterion builds, std::string_view summary,
                      std::string_view source) {
  return {.entry = {name, summary, source, kPassive}, .builds = builds};
}
constexpr Row proactive(std::string_view name, Criterion switches, Criterion builds,
                        std::string_view summary, std::string_view source) {
  return {.entry = {name, summary, source, kProactive}, .builds = builds, .switches = switches};
}
constexpr Row observed(std::string_view name, Observed::Prefer prefer, std::string_view summary,
                       std::span<const Parameter> parameters) {
  return {
      .entry = {name, summary, kAsked, parameters}, .kind = Kindness::observed, .prefer = prefer};
}

constexpr auto kTable = std::to_array<Row>({
    passive("ip", P, "most likely to finish the iteration", kReport),
    passive("ie", E, "least expected duration of the iteration", kReport),
    passive("iy", Y,
            "best yield: probability of success divided by the expected end of the iteration",
            kReport),
    passive("iay", AY,
            "best apparent yield: probability of success divided by the expected duration",
            kReport),
    passive("it", T, "least expected time with restarts", kOurs),
    proactive("p-ip", P, P, "ip, and switch to what is more likely to finish", kReport),
    proactive("p-ie", P, E, "ie, and switch to what is more likely to finish", kReport),
    proactive("p-iy", P, Y, "iy, and switch to what is more likely to finish", kReport),
    proactive("p-iay", P, AY, "iay, and switch to what is more likely to finish", kReport),
    proactive("p-it", P, T, "it, and switch to what is more likely to finish", kOurs),
    proactive("e-ip", E, P, "ip, and switch to what is expected to be shorter", kReport),
    proactive("e-ie", E, E, "ie, and switch to what is expected to be shorter", kReport),
    proactive("e-iy", E, Y, "iy, and switch to what is expected to be shorter", kReport),
    proactive("e-iay", E, AY, "iay, and switch to what is expected to be shorter", kReport),
    proactive("e-it", E, T, "it, and switch to what is expected to be shorter", kOurs),
    proactive("y-ip", Y, P, "ip, and switch to what has the better yield", kReport),
    proactive("y-ie", Y, E, "ie, and switch to what has the better yield", kReport),
    proactive("y-iy", Y, Y, "iy, and switch to what has the better yield", kReport),
    proactive("y-iay", Y, AY, "iay, and switch to what has the better yield", kReport),
    proactive("y-it", Y, T, "it, and switch to what has the better yield", kOurs),
    proactive("ay-ip", AY, P, "ip, and switch to what has the better apparent yield", kOurs),
    proactive("ay-ie", AY, E, "ie, and switch to what has the better apparent yield", kOurs),
    proactive("ay-iy", AY, Y, "iy, and switch to what has the better apparent yield", kOurs),
    proactive("ay-iay", AY, AY, "iay, and switch to what has the better apparent yield", kOurs),
    proactive("ay-it", AY, T, "it, and switch to what has the better apparent yield", kOurs),
    proactive("t-ip", T, P, "ip, and switch to what takes less time with restarts", kOurs),
    proactive("t-ie", T, E, "ie, and switch to what takes less time with restarts", kOurs),
    proactive("t-iy", T, Y, "iy, and switch to what takes less time with restarts", kOurs),
    proactive("t-iay", T, AY, "iay, and switch to what takes less time with restarts", kOurs),
    proactive("t-it", T, T, "it, and switch to what takes less time with restarts", kOurs),
    {.entry = {"random", "each task to a random worker that is up", kReport, kPlain},
     .kind = Kindness::random},
    observed("fastest", Observed::Prefer::fastest, "the fastest workers that are up", kPlain),
    observed("most-available", Observed::Prefer::most_available,
             "the workers that were up most of the time", kPlain),
    observed("longest-up", Observed::Prefer::longest_up, "the workers that have been up longest",
             kPlain),
    observed("threshold", Observed::Prefer::threshold,
             "the fastest workers of those that were up for at least a given share of the time",
             kThreshold),
    {.entry = {"as-given", "the assignment of the instance", "for proofs and other tools", kPlain},
     .kind = Kindness::as_given},
});

bool is_set(const StrategySpec& spec, std::string_view name) {
  const Value* value = spec.parameters.find(name);
  return value != nullptr && value->boolean() != nullptr && *value->boolean();
}

Estimator estimator_of(const StrategySpec& spec) {
  const auto place = std::find(kEstimators.begin(), kEstimators.end(), spec.choice("estimator"));
  return static_cast<Estimator>(place - kEstimators.begin());
}

// Checks that the instance has what the strategy needs.
Status check_needs(const Row& row, const Instance& instance) {
  if (row.kind == Kindness::as_given && instance.assignment.empty()) {
    return fail(ErrorCode::bad_value, "/assignment",
                "is missing; strategy 'as-given' takes it from the instance");
  }
  if (row.kind != Kindness::greedy) return {};
  if (const auto worker = worker_without_chain(instance)) {
    return fail(ErrorCode::bad_value, pointer_to("/workers", *worker) + "/markov",
                fmt::format("is missing; strategy '{}' weighs risks by it", row.entry.name));
  }
  return {};
}

ReadyStrategy ready(const Row& row, const StrategySpec& spec, Toolbox& toolbox,
                    const AvailabilityDraw& draw) {
  const Instance& instance = toolbox.instance();
  ReadyStrategy out;
  switch (row.kind) {
    case Kindness::greedy: {
      out.estimator = estimator_of(spec);
      out.greedy = row.builds;
      Evaluator& evaluator = toolbox.evaluator(out.estimator);
      out.builder = std::make_unique<Greedy>(evaluator, row.builds);
      out.rules.switches = row.switches;
      out.rules.evaluator = &evaluator;
      break;
    }
    case Kindness::random:
      out.builder = std::make_unique<Random>(instance, Stream({.seed = draw.seed,
                                                               .purpose = Purpose::strategy,
                                                               .instance = draw.instance,
                                                               .scenario = draw.scenario,
                                                               .entity = draw.sample << 32}));
      break;
    case Kindness::observed:
      out.builder = std::make_unique<Observed>(
          instance, row.prefer,
          row.prefer == Observed::Prefer::threshold ? spec.number("share") : 0);
      break;
    case Kindness::as_given:
      out.builder = std::make_unique<AsGiven>(instance);
      break;
  }
  out.rules.builder = out.builder.get();
  out.rules.keep_data = is_set(spec, "keep_data");
  out.rules.value_reclaimed = is_set(spec, "value_reclaimed");
  return out;
}

}  // namespace

std::vector<StrategyEntry> strategies() {
  std::vector<StrategyEntry> entries;
  entries.reserve(kTable.size());
  for (const Row& row : kTable) entries.push_back(row.entry);
  return entries;
}

Result<StrategyMaker> make_strategy(const StrategySpec& spec, const Instance& instance) {
  const Row& row = kTable[spec.index];
  HOLDFAST_CHECK(check_needs(row, instance));
  return [&row, spec](Toolbox& toolbox, const AvailabilityDraw& draw) {
    return ready(row, spec, toolbox, draw);
  };
}

}  // namespace holdfast::volatile_workers
