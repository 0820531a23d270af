#include "holdfast/field/replay.hpp"

#include "holdfast/contract/ask.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/contract/workspace.hpp"
#include "holdfast/domains/checkpoint/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace holdfast::field {
namespace {

/// Those that the domain has; the first is the guard's own.
constexpr auto kStrategies = std::to_array<std::string_view>(
    {"advised", "next-step", "young-daly", "adaptive-young-daly", "fixed:period=1h"});

double mean_of(double sum, std::size_t count) {
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

/// The job as an instance whose failures are those that it met.
Value recorded_instance(const History& history, const Value& instance) {
  Value out = Value::object();
  out.set("work", history.saved);
  if (const Value* processors = instance.find("processors")) out.set("processors", *processors);
  double sum = 0;
  for (const double seconds : history.checkpoint_seconds) sum += seconds;
  out.set("checkpoint", mean_of(sum, history.checkpoint_seconds.size()));
  out.set("recovery", mean_of(history.recovering, static_cast<std::size_t>(history.recoveries)));
  Value events = Value::array();
  double down = 0;
  std::size_t count = 0;
  for (const PastFailure& failure : history.failures) {
    if (failure.is_quick) continue;
    Value event = Value::array();
    event.push(std::max(0.0, failure.clock - history.began));
    event.push(0);
    events.push(std::move(event));
    down += failure.down;
    ++count;
  }
  out.set("downtime", mean_of(down, count));
  out.set("no_final_checkpoint", history.end == "finish");
  const Value* law = instance.find("failures");
  Value failures = law == nullptr ? Value::object({{"mtbf", 100 * 86400.0}}) : *law;
  failures.set("events", std::move(events));
  out.set("failures", std::move(failures));
  return out;
}

}  // namespace

Result<std::vector<Replayed>> replay(const History& history, const Value& instance,
                                     const std::filesystem::path& directory) {
  std::vector<Replayed> out;
  double saving = 0;
  for (const double seconds : history.checkpoint_seconds) saving += seconds;
  if (!(saving > 0) || !(history.saved > 0)) return out;
  const Domain& domain = checkpoint::domain();
  std::vector<StrategySpec> strategies;
  for (const std::string_view text : kStrategies) {
    const std::string_view name = text.substr(0, text.find(':'));
    const bool is_known =
        std::ranges::find(domain.strategies, name, &StrategyEntry::name) != domain.strategies.end();
    // The plan that an advisor follows without what it learns stands in for it where it cannot be simulated.
    const bool is_double = name == "next-step" && !strategies.empty();
    if (!is_known || is_double) continue;
    HOLDFAST_TRY(strategy, parse_strategy(text, domain.strategies));
    strategies.push_back(std::move(strategy));
  }
  HOLDFAST_TRY(point,
               open_point(domain, recorded_instance(history, instance), strategies, directory));
  const auto position = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(domain.metrics, name, &Metric::name) -
                                    domain.metrics.begin());
  };
  const std::size_t makespan = position("makespan");
  const std::size_t failures = position("failures");
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    Workspace workspace;
    HOLDFAST_TRY(outcome, point->run({}, i, workspace, false));
    if (!outcome.completed || !outcome.metrics.at(makespan)) continue;
    out.push_back({.strategy = strategies[i].text,
                   .makespan = *outcome.metrics[makespan],
                   .failures = outcome.metrics.at(failures).value_or(0),
                   .outlives_record = *outcome.metrics[makespan] > history.clock - history.began});
  }
  return out;
}

}  // namespace holdfast::field
