#include "holdfast/campaign/simulate.hpp"

#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/executors/local.hpp"
#include "holdfast/campaign/meter.hpp"
#include "holdfast/campaign/workload.hpp"

#include <cassert>
#include <limits>
#include <utility>

namespace holdfast {
namespace {

/// The cells of one point, in the order of the design.
struct Cells {
  std::size_t strategies;
  std::size_t metrics;
  std::uint64_t scenarios;
  std::vector<std::uint8_t> flags;
  std::vector<double> values;
  std::vector<double> seconds;  // by strategy

  Cells(std::size_t strategy_count, std::size_t metric_count, std::uint64_t scenario_count)
      : strategies(strategy_count),
        metrics(metric_count),
        scenarios(scenario_count),
        flags(scenario_count * strategy_count),
        values(flags.size() * metric_count, std::numeric_limits<double>::quiet_NaN()),
        seconds(strategy_count) {}

  void take(const Batch& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const CellKey& key = batch.keys[i];
      const std::size_t cell = key.scenario * strategies + key.strategy;
      flags[cell] = batch.flags[i];
      seconds[key.strategy] += batch.seconds[i];
      for (std::size_t m = 0; m < metrics; ++m) {
        values[cell * metrics + m] = batch.values[i * metrics + m];
      }
    }
  }
};

Campaign campaign_of(const Domain& domain, const SimulateRequest& request) {
  Campaign campaign;
  campaign.domain = &domain;
  campaign.seed = request.seed;
  campaign.scenarios = request.scenarios;
  campaign.strategies = request.strategies;
  campaign.baseline = request.baseline;
  campaign.fixed = request.parameters;
  campaign.directory = request.directory;
  return campaign;
}

/// What the first scenario leaves beside the metrics; a domain's member never replaces one of the
/// contract's.
void add_details(Value& result, const Value& details) {
  if (details.members() == nullptr) return;
  for (const auto& [name, value] : *details.members()) {
    if (result.find(name) == nullptr) result.set(name, value);
  }
}

Value make_document(const Domain& domain, const SimulateRequest& request, const Value& instance,
                    const Simulation& simulation, const Workload::Watch& watch,
                    const Cells& cells) {
  Value summary = to_value(simulation.summary, simulation.strategies, simulation.metrics);
  Value::Array& results = *summary.find("results")->array_items();
  for (std::size_t i = 0; i < results.size(); ++i) {
    add_details(results[i], watch.details[i]);
    if (request.timing) results[i].set("seconds", cells.seconds[i]);
  }
  return Value::object({{"holdfast", Value::object({{"kind", std::string(domain.name) + "-result"},
                                                    {"version", 1}})},
                        {"seed", request.seed},
                        {"scenarios", simulation.scenarios},
                        {"instance", instance},
                        {"results", std::move(*summary.find("results"))},
                        {"comparisons", std::move(*summary.find("comparisons"))}});
}

}  // namespace

Result<Simulation> simulate(const Domain& domain, const SimulateRequest& request) {
  assert(!request.strategies.empty() && request.scenarios > 0);
  const Campaign campaign = campaign_of(domain, request);
  HOLDFAST_TRY(design, Design::make(campaign));
  const Value instance = design.peek(0)->definition();
  const DesignPoint& point = design.points().front();

  Simulation out;
  out.headline = design.peek(0)->headline(request.seed);
  out.why_alike = design.peek(0)->why_alike();
  out.scenarios = point.scenarios;
  out.metrics = describe_metrics(domain);
  out.warnings = design.warnings();
  for (const StrategySpec& spec : request.strategies) {
    out.strategies.push_back(spec.text);
    out.shown.push_back(spec.shown);
  }

  Workload::Watch watch;
  watch.check = request.check;
  Cells cells(out.strategies.size(), out.metrics.size(), out.scenarios);
  const auto none = [](const CellKey&) { return false; };
  const Workload workload(campaign, design, none, request.control.threads, &watch);
  Meter meter(request.control, design.cells(), 0);
  HOLDFAST_CHECK(run_local(workload, request.control, [&](const Batch& batch) -> Status {
    cells.take(batch);
    meter.add(batch.size());
    return {};
  }));
  if (meter.finish().done < design.cells()) {
    return fail(ErrorCode::interrupted, {}, "interrupted before every scenario had been run");
  }
  const PointCells view(0, 1, out.scenarios, cells.strategies, cells.metrics, cells.flags,
                        cells.values);
  out.summary = summarize(view, out.metrics, request.baseline);
  if (!out.metrics.empty()) out.ranking = rank(view, out.metrics, 0);
  if (const auto three = split_strategies(domain, out.strategies); three && !out.metrics.empty())
    out.split = split_gain(view, *three, 0);
  out.document = make_document(domain, request, instance, out, watch, cells);
  out.timelines = std::move(watch.timelines);
  out.checked = watch.checked;
  return out;
}

}  // namespace holdfast
