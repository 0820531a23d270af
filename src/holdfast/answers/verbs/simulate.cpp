#include "holdfast/campaign/simulate.hpp"

#include "holdfast/answers/asked/asked_strategies.hpp"
#include "holdfast/answers/host.hpp"
#include "holdfast/answers/simulate_answer.hpp"
#include "holdfast/answers/verbs.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/campaign/summary_members.hpp"
#include "holdfast/contract/document_members.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/kernel/statistics.hpp"
#include "holdfast/pages/summary_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

struct SimulateAsked {
  std::int64_t scenarios = 50;
  std::int64_t threads = 0;
  bool check = false;
  bool timing = false;
  std::vector<double> quantile;  ///< probabilities
};

constexpr auto kSimulateOptions = std::to_array<Field<SimulateAsked>>({
    {.name = "scenarios",
     .summary = "number of random scenarios",
     .member = member<&SimulateAsked::scenarios>,
     .range = at_least(1)},
    {.name = "threads",
     .summary = "number of threads (default: all cores); it does not change the results",
     .member = member<&SimulateAsked::threads>,
     .range = at_least(1),
     .fallback = "-"},
    {.name = "check",
     .summary = "check every run with a validator that is independent of the simulator",
     .member = member<&SimulateAsked::check>},
    {.name = "quantile",
     .summary = "also the quantiles of these probabilities, such as 0.95,0.99: which walltime is "
                "enough in 95 % of the runs",
     .member = member<&SimulateAsked::quantile>,
     .range = {.minimum = 0, .maximum = 1, .above_minimum = true, .below_maximum = true}},
    {.name = "timing",
     .summary = "add wall-clock times",
     .member = member<&SimulateAsked::timing>,
     .heading = "Output"},
});

// Returns the values of a metric in the runs of a strategy that count, in increasing order.
std::vector<double> sorted_values(const Simulation& simulation, std::size_t strategy,
                                  std::size_t metric) {
  const std::size_t strategies = simulation.strategies.size();
  std::vector<double> out;
  for (std::size_t cell = strategy; cell < simulation.flags.size(); cell += strategies) {
    const double value = simulation.values[cell * simulation.metrics.size() + metric];
    const bool counts = (simulation.flags[cell] & CellFlags::kInStatistics) != 0;
    if (counts && !std::isnan(value)) out.push_back(value);
  }
  std::ranges::sort(out);
  return out;
}

// Adds quantiles of the metric by which strategies are compared, best strategy first.
void add_quantiles(const std::vector<double>& probabilities, const Simulation& simulation,
                   Value& document, Table& table) {
  const StoredMetric& metric = simulation.metrics[simulation.ranking.metric];
  table = {.title = "quantiles of " + title_of(metric), .columns = {{.title = "strategy"}}};
  for (const double one : probabilities) {
    table.columns.push_back({.title = fmt::format("{:.6g} %", 100 * one), .unit = unit_of(metric)});
  }
  for (const std::size_t strategy : simulation.ranking.rows()) {
    const auto sorted = sorted_values(simulation, strategy, simulation.ranking.metric);
    std::vector<Value> cells = {simulation.shown[strategy]};
    Value list = Value::array();
    for (const double one : probabilities) {
      const Value value = sorted.empty() ? Value() : Value(quantile(sorted, one));
      cells.push_back(value);
      list.push(Value::object({{"probability", one}, {"value", value}}));
    }
    table.rows.push_back(std::move(cells));
    (*document.find("results")->array_items())[strategy].set("quantiles", std::move(list));
  }
}

Result<Answer> simulate_point(const SimulateAsked& asked, const Request& request) {
  const Domain& domain = *request.domain;
  SimulateRequest point{.parameters = request.parameters,
                        .directory = request.directory,
                        .strategies = request.strategies,
                        .baseline = baseline_of(domain, request.strategies),
                        .scenarios = static_cast<std::uint64_t>(asked.scenarios),
                        .seed = request.seed,
                        .check = asked.check,
                        .timing = asked.timing,
                        .control = request.host->control};
  point.control.threads = threads_of(asked.threads);
  HOLDFAST_TRY(simulation, simulate(domain, point));
  const std::uint64_t checked = simulation.checked;
  if (asked.check && checked == 0) {
    return fail(ErrorCode::usage, "/check",
                fmt::format("'{}' offers no check of its runs", domain.name));
  }
  Table quantiles;
  if (!asked.quantile.empty())
    add_quantiles(asked.quantile, simulation, simulation.document, quantiles);
  Answer answer = answer_of(domain, std::move(simulation), point.baseline);
  if (!quantiles.rows.empty()) answer.tables.insert(answer.tables.begin(), std::move(quantiles));
  if (asked.check) {
    answer.notes.push_back(fmt::format("{} the model", counted(checked, "run obeys", "runs obey")));
  }
  return answer;
}

constexpr auto kResults = std::to_array<ResultField>(
    {{"", "the header", kHeaderMembers},
     {"seed", "seed of all draws", Holds::integer},
     {"scenarios", "number of draws", Holds::integer},
     {"instance", "the problem in canonical form", Holds::object},
     {"", "the results", kPointMembers},
     {"results[].quantiles?[].probability", "a probability that was asked for"},
     {"results[].quantiles?[].value", "the quantile of the first metric; null: no run counts",
      Holds::anything},
     {"results[].seconds?", "wall time of the runs, with --timing", Unit::seconds},
     {"results[].schedule?[]", "rows of the schedule of the first scenario, with --schedule -",
      Holds::object}});

}  // namespace

const Verb& simulate_verb() {
  static const Verb kVerb = {
      .name = "simulate",
      .summary = "run strategies on the same random scenarios, and compare them",
      .example = {},  // that of its domain
      .options = fields_of<kSimulateOptions>().parameters(),
      .results = kResults,
      .takes_strategies = true,
      .has_schedule = true,
      .run = with_options<simulate_point, fields_of<kSimulateOptions>>};
  return kVerb;
}

}  // namespace holdfast
