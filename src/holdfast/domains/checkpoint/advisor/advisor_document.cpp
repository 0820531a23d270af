#include "holdfast/domains/checkpoint/advisor/advisor_document.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/checkpoint/advisor/trust.hpp"
#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace holdfast::checkpoint {
namespace {

constexpr auto kSettingsRows = std::to_array<Field<AdvisorSettings>>({
    {.name = "first",
     .summary = "work before the first checkpoint, if the time of a checkpoint is unknown",
     .member = member<&AdvisorSettings::first>,
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "min_interval",
     .summary = "least work between two checkpoints",
     .member = member<&AdvisorSettings::min_interval>,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "max_interval",
     .summary = "most work between two checkpoints; default: no limit",
     .member = member<&AdvisorSettings::max_interval>,
     .unit = Unit::seconds,
     .range = positive(),
     .fallback = "-"},
    {.name = "max_overhead",
     .summary = "largest fraction of the time that checkpoints may take",
     .member = member<&AdvisorSettings::max_overhead>,
     .range = {.minimum = 0, .maximum = 1, .above_minimum = true}},
});

Status read_trust(const Value& value, const std::string& where, std::optional<double>& trust) {
  if (const std::string* text = value.string()) {
    trust = parse_trust(*text);
    if (trust) return {};
    return fail(
        ErrorCode::bad_value, where,
        fmt::format("found {}, expected a number greater than 0, or inf", in_quotes(*text)));
  }
  HOLDFAST_TRY(number, read_quantity(value, where, Unit::none, positive()));
  trust = number;
  return {};
}

bool is_of_an_advisor(const StrategySpec& spec) {
  const std::string_view name = strategies()[spec.index].name;
  return name == "advised" || name == "adaptive-young-daly";
}

// The rule and the prior of a strategy that is an advisor's own.
Status take_rule(const StrategySpec& spec, AdvisorSettings& settings) {
  const bool plans = strategies()[spec.index].name == "advised";
  settings.rule = plans ? AdvisorRule::next_step : AdvisorRule::young_daly;
  if (spec.has("checkpoint")) settings.checkpoint = spec.number("checkpoint");
  if (!spec.has("trust")) return {};
  const auto trust = parse_trust(spec.choice("trust"));
  if (!trust) {
    return fail(ErrorCode::bad_value, "/strategy",
                fmt::format("trust: found {}, expected a number greater than 0, or inf",
                            in_quotes(spec.choice("trust"))));
  }
  settings.trust = *trust;
  return {};
}

Status check_strategy(const AdvisorPlan& plan) {
  const StrategySpec& spec = plan.strategy;
  if (knows_future(spec) || spec.rule != nullptr) {
    return fail(ErrorCode::bad_value, "/strategy",
                fmt::format("found {}, which knows when failures strike, expected one that a job "
                            "that runs can follow",
                            in_quotes(spec.text)));
  }
  if (learns(spec) && !is_of_an_advisor(spec)) {
    return fail(ErrorCode::bad_value, "/strategy",
                fmt::format("found {}, which is a baseline of simulations, expected one that a job "
                            "that runs can follow",
                            in_quotes(spec.text)));
  }
  const bool needs_cost = !is_of_an_advisor(spec) && strategies()[spec.index].name != "fixed";
  if (needs_cost && !plan.settings.checkpoint) {
    return fail(ErrorCode::bad_value, "/checkpoint",
                fmt::format("is missing; strategy '{}' does not learn it", spec.text));
  }
  return {};
}

Status read_strategy(const std::string& text, AdvisorPlan& plan) {
  auto spec = parse_strategy(text, strategies());
  if (!spec) return fail(ErrorCode::bad_value, "/strategy", spec.error().message);
  plan.strategy = std::move(*spec);
  return is_of_an_advisor(plan.strategy) ? take_rule(plan.strategy, plan.settings) : Status{};
}

Status check_bounds(const AdvisorPlan& plan) {
  const AdvisorSettings& settings = plan.settings;
  if (settings.min_interval > settings.max_interval) {
    return fail(ErrorCode::bad_value, "/min_interval",
                fmt::format("found {} s, expected at most the max_interval, {} s",
                            settings.min_interval, settings.max_interval));
  }
  const auto named = static_cast<std::int64_t>(plan.nodes.size());
  if (named > 0 && named != plan.instance.processors) {
    return fail(ErrorCode::bad_value, "/nodes",
                fmt::format("found {} names, expected {}: as many as processors", named,
                            plan.instance.processors));
  }
  return {};
}

// One age for each node, in order of number.
std::vector<double> age_of_each(const Instance& instance) {
  std::vector<double> out;
  for (const AgeGroup& group : initial_groups(instance)) {
    out.insert(out.end(), static_cast<std::size_t>(group.count), group.age);
  }
  return out;
}

}  // namespace

const Fields<AdvisorSettings>& advisor_fields() {
  return fields_of<kSettingsRows>();
}

Result<AdvisorPlan> read_advisor(const Value& document, const std::filesystem::path& directory) {
  AdvisorPlan plan;
  std::optional<double> trust;
  std::string strategy = "advised";
  bool knows_checkpoint = false;
  bool knows_recovery = false;
  HOLDFAST_TRY(instance, read_running_job(document, directory, [&](ObjectReader& read) {
                 advisor_fields().read(read, plan.settings);
                 read.with("trust", [&](const Value& value, const std::string& where) {
                   return read_trust(value, where, trust);
                 });
                 strategy = read.text_or("strategy", strategy);
                 knows_checkpoint = read.has("checkpoint");
                 knows_recovery = read.has("recovery");
               }));
  plan.instance = std::move(instance);
  plan.nodes = plan.instance.nodes;
  AdvisorSettings& settings = plan.settings;
  settings.work = plan.instance.work;
  if (knows_checkpoint) settings.checkpoint = plan.instance.checkpoint;
  if (knows_recovery) settings.recovery = plan.instance.recovery;
  if (plan.instance.late.flush > 0) settings.flush = plan.instance.late.flush;
  settings.local = plan.instance.local;
  settings.has_spares = plan.instance.platform.spares.has_value();
  settings.ends = plan.instance.ends;
  settings.trust = trust.value_or(usual_trust(plan.instance));
  HOLDFAST_CHECK(read_strategy(strategy, plan));
  HOLDFAST_CHECK(check_strategy(plan));
  HOLDFAST_CHECK(check_bounds(plan));
  return plan;
}

Result<Advisor> make_advisor(const AdvisorPlan& plan, double now) {
  const Instance& job = plan.instance;
  std::unique_ptr<Strategy> other;
  if (!is_of_an_advisor(plan.strategy)) {
    HOLDFAST_TRY(made, make_strategy(plan.strategy, job));
    other = std::move(made);
  }
  const bool is_by_mean = !other && plan.settings.rule == AdvisorRule::young_daly;
  const double mean = job_mtbf(job) * static_cast<double>(job.processors);
  auto law = std::make_shared<const TabulatedLaw>(is_by_mean ? exponential_law(mean) : *job.law);
  NodeAges nodes = plan.nodes.empty() ? NodeAges(std::move(law), make_ages(initial_groups(job)),
                                                 now, job.rejuvenation == Rejuvenation::all)
                                      : NodeAges(std::move(law), age_of_each(job), now);
  return Advisor(plan.settings, std::move(nodes), std::move(other));
}

}  // namespace holdfast::checkpoint
