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

/// A sink that stores the cells of the point in the order of the design.
class CellTaker {
 public:
  explicit CellTaker(Simulation& out)
      : out_{out}, strategies_{out.strategies.size()}, metrics_{out.metrics.size()} {
    out.flags.assign(out.scenarios * strategies_, 0);
    out.values.assign(out.flags.size() * metrics_, std::numeric_limits<double>::quiet_NaN());
    seconds_.assign(strategies_, 0);
  }

  void take(const Batch& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const CellKey& key = batch.keys[i];
      const std::size_t cell = key.scenario * strategies_ + key.strategy;
      out_.flags[cell] = batch.flags[i];
      seconds_[key.strategy] += batch.seconds[i];
      for (std::size_t m = 0; m < metrics_; ++m) {
        out_.values[cell * metrics_ + m] = batch.values[i * metrics_ + m];
      }
    }
  }
  /// Returns the wall times in seconds, by strategy.
  [[nodiscard]] const std::vector<double>& seconds() const { return seconds_; }

 private:
  Simulation& out_;
  std::size_t strategies_;
  std::size_t metrics_;
  std::vector<double> seconds_;
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

/// Adds the details of the first scenario to a result. A domain's member never replaces one that all domains have.
void add_details(Value& result, const Value& details) {
  if (details.members() == nullptr) return;
  for (const auto& [name, value] : *details.members()) {
    if (result.find(name) == nullptr) result.set(name, value);
  }
}

Value make_document(const Domain& domain, const SimulateRequest& request, const Value& instance,
                    const Simulation& simulation, const Workload::Watch& watch,
                    const std::vector<double>& seconds) {
  Value summary = to_value(simulation.summary, simulation.strategies, simulation.metrics,
                           simulation.ranking.bounds);
  Value::Array& results = *summary.find("results")->array_items();
  for (std::size_t i = 0; i < results.size(); ++i) {
    add_details(results[i], watch.details[i]);
    if (request.timing) results[i].set("seconds", seconds[i]);
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
  const std::size_t objective = design.peek(0)->objective();
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
  CellTaker cells(out);
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
  const PointCells view(0, 1, out.scenarios, out.strategies.size(), out.metrics.size(), out.flags,
                        out.values);
  const std::vector<std::size_t> bounds = bounds_among(domain, request.strategies);
  out.summary = summarize(view, out.metrics, request.baseline, bounds);
  if (!out.metrics.empty()) out.ranking = rank(view, out.metrics, objective, bounds);
  if (const auto three = split_strategies(domain, out.strategies); three && !out.metrics.empty())
    out.split = split_gain(view, *three, objective);
  out.document = make_document(domain, request, instance, out, watch, cells.seconds());
  out.timelines = std::move(watch.timelines);
  out.checked = watch.checked;
  return out;
}

}  // namespace holdfast
