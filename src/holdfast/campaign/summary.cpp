#include "holdfast/campaign/summary.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/campaign/executors/parallel.hpp"
#include "holdfast/campaign/many_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace holdfast {
namespace {

/// The largest number of values that are kept for their quantiles.
constexpr std::size_t kMostKept = std::size_t{1} << 20;

/// Summarises a value of each draw.
template <class ValueOf>
std::optional<Summary> summarize_draws(const PointCells& cells, const ValueOf& value_of) {
  if (cells.draws() > kMostKept) return summarize_many(cells.draws(), value_of);
  Values values;
  values.reserve(cells.draws());
  for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
    if (const auto value = value_of(draw)) values.add(*value);
  }
  return std::move(values).summary();
}

std::optional<Summary> summarize_reached(const PointCells& cells, std::size_t strategy,
                                         std::span<const StoredMetric> metrics, std::size_t metric,
                                         std::span<const std::size_t> bounds) {
  const auto bound = bound_on(metrics, metric, bounds);
  if (!bound) return std::nullopt;
  return summarize_draws(cells, [&](std::size_t draw) {
    return part_reached(cells, draw, strategy, metrics, metric, *bound);
  });
}

/// Counts the runs of a strategy, and makes room for its statistics.
StrategySummary counted_strategy(const PointCells& cells, std::size_t strategy) {
  StrategySummary out;
  for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
    const auto cell = cells.cell(draw, strategy);
    if (!cell) continue;
    ++(cell->completed ? out.completed : out.failed);
  }
  out.metrics.resize(cells.metrics());
  out.reached.resize(cells.metrics());
  return out;
}

std::optional<Summary> summarize_metric(const PointCells& cells, std::size_t strategy,
                                        std::size_t metric) {
  return summarize_draws(cells,
                         [&](std::size_t draw) { return cells.value(draw, strategy, metric); });
}

void add_pairs(const PointCells& cells, std::size_t numerator, std::size_t denominator,
               std::size_t metric, PairedRatios& ratios) {
  for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
    const auto above = cells.value(draw, numerator, metric);
    const auto below = cells.value(draw, denominator, metric);
    if (above && below) ratios.add(*above, *below);
  }
}

/// Sets a member if the number exists and is finite.
void set_number(Value& object, std::string_view name, std::optional<double> number) {
  if (number && std::isfinite(*number)) object.set(name, *number);
}

Value to_value(const Summary& summary) {
  Value out = Value::object();
  set_number(out, "mean", summary.mean);
  set_number(out, "standard_error", summary.standard_error);
  set_number(out, "minimum", summary.minimum);
  set_number(out, "p10", summary.p10);
  set_number(out, "p25", summary.p25);
  set_number(out, "median", summary.median);
  set_number(out, "p75", summary.p75);
  set_number(out, "p90", summary.p90);
  set_number(out, "maximum", summary.maximum);
  out.set("count", summary.count);
  return out;
}

/// Returns the share of the best possible value that was reached.
Value to_value(const Summary& reached, const std::string& bound) {
  Value out = Value::object({{"bound", bound}});
  set_number(out, "mean", reached.mean);
  set_number(out, "standard_error", reached.standard_error);
  out.set("count", reached.count);
  return out;
}

Value to_value(const Comparison& comparison, std::span<const std::string> strategies,
               std::span<const StoredMetric> metrics) {
  Value out = Value::object({{"numerator", strategies[comparison.numerator]},
                             {"denominator", strategies[comparison.denominator]},
                             {"metric", metrics[comparison.metric].name}});
  set_number(out, "geometric_mean", comparison.geometric_mean);
  set_number(out, "geometric_sd", comparison.geometric_sd);
  if (comparison.interval && std::isfinite((*comparison.interval)[1])) {
    out.set("interval", Value::list(*comparison.interval));
  }
  set_number(out, "ratio_of_means", comparison.ratio_of_means);
  return out;
}

Result<std::size_t> find_name(std::string_view name, std::span<const std::string_view> names,
                              std::string_view noun) {
  const auto match = std::find(names.begin(), names.end(), name);
  if (match != names.end()) return static_cast<std::size_t>(match - names.begin());
  return fail(ErrorCode::unknown_name, {},
              fmt::format("unknown {} {}; {}", noun, in_quotes(name), suggestion(name, names)));
}

template <class Items, class Name>
std::vector<std::string_view> names_of(const Items& items, Name name) {
  std::vector<std::string_view> out;
  std::transform(items.begin(), items.end(), std::back_inserter(out), name);
  return out;
}

}  // namespace

PointSummary summarize(const PointCells& cells, std::span<const StoredMetric> metrics,
                       std::optional<std::size_t> baseline, std::span<const std::size_t> bounds) {
  PointSummary out{.position = cells.position(), .strategies = {}, .comparisons = {}};
  for (std::size_t strategy = 0; strategy < cells.strategies(); ++strategy) {
    out.strategies.push_back(counted_strategy(cells, strategy));
  }
  parallel_for(cells.strategies() * cells.metrics(), cells.threads(), [&](std::size_t i) {
    const std::size_t strategy = i / cells.metrics();
    const std::size_t metric = i % cells.metrics();
    StrategySummary& to = out.strategies[strategy];
    to.metrics[metric] = summarize_metric(cells, strategy, metric);
    to.reached[metric] = summarize_reached(cells, strategy, metrics, metric, bounds);
  });
  if (!baseline) return out;
  for (std::size_t strategy = 0; strategy < cells.strategies(); ++strategy) {
    if (strategy == *baseline || is_among(bounds, strategy)) continue;
    for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
      if (metrics[metric].better == Better::neither) continue;
      auto comparison = compare(cells, *baseline, strategy, metric);
      if (comparison) out.comparisons.push_back(*comparison);
    }
  }
  return out;
}

bool gave_up(const PointCells& cells, std::size_t strategy) {
  for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
    const auto cell = cells.cell(draw, strategy);
    if (cell && !cell->completed) return true;
  }
  return false;
}

std::optional<Comparison> compare(const PointCells& cells, std::size_t numerator,
                                  std::size_t denominator, std::size_t metric) {
  PairedRatios ratios;
  add_pairs(cells, numerator, denominator, metric, ratios);
  Comparison out{.numerator = numerator,
                 .denominator = denominator,
                 .metric = metric,
                 .count = static_cast<std::uint64_t>(ratios.count()),
                 .geometric_mean = ratios.ratios().mean(),
                 .geometric_sd = ratios.ratios().standard_deviation(),
                 .interval = ratios.ratios().interval(),
                 .ratio_of_means = ratios.ratio_of_means()};
  if (!out.geometric_mean && !out.ratio_of_means) return std::nullopt;
  return out;
}

std::optional<double> ratio_of_means(const StrategySummary& summary,
                                     std::span<const StoredMetric> metrics, std::size_t metric) {
  const auto mean_of = [&](const std::string& name) -> std::optional<double> {
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      if (metrics[m].name == name && summary.metrics[m]) return summary.metrics[m]->mean;
    }
    return std::nullopt;
  };
  if (metrics[metric].denominator.empty()) return std::nullopt;
  const auto above = mean_of(metrics[metric].numerator);
  const auto below = mean_of(metrics[metric].denominator);
  if (!above || !below || *below == 0) return std::nullopt;
  return *above / *below;
}

const std::string& name_of(const BoundPlace& bound, std::span<const std::string> strategies,
                           std::span<const StoredMetric> metrics) {
  return bound.strategy ? strategies[*bound.strategy] : metrics[bound.metric].name;
}

Value to_value(const PointSummary& summary, std::span<const std::string> strategies,
               std::span<const StoredMetric> metrics, std::span<const std::size_t> bounds) {
  Value results = Value::array();
  for (std::size_t strategy = 0; strategy < summary.strategies.size(); ++strategy) {
    const StrategySummary& one = summary.strategies[strategy];
    Value values = Value::object();
    for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
      if (!one.metrics[metric]) continue;
      Value statistics = to_value(*one.metrics[metric]);
      set_number(statistics, "ratio_of_means", ratio_of_means(one, metrics, metric));
      const auto bound = bound_on(metrics, metric, bounds);
      if (bound && one.reached[metric] && !is_among(bounds, strategy)) {
        statistics.set("possible",
                       to_value(*one.reached[metric], name_of(*bound, strategies, metrics)));
      }
      values.set(metrics[metric].name, std::move(statistics));
    }
    results.push(Value::object({{"strategy", strategies[strategy]},
                                {"metrics", std::move(values)},
                                {"completed", one.completed},
                                {"failed", one.failed}}));
  }
  Value comparisons = Value::array();
  for (const Comparison& comparison : summary.comparisons) {
    comparisons.push(to_value(comparison, strategies, metrics));
  }
  return Value::object({{"results", std::move(results)}, {"comparisons", std::move(comparisons)}});
}

Result<std::vector<RatioGroup>> group_ratios(const Results& results, std::string_view metric,
                                             std::string_view numerator,
                                             std::string_view denominator,
                                             std::span<const std::string> by) {
  const Description& description = results.description();
  const auto metrics =
      names_of(description.metrics, [](const auto& m) -> std::string_view { return m.name; });
  const auto strategies =
      names_of(description.strategies, [](const auto& s) -> std::string_view { return s; });
  const auto axes =
      names_of(description.axes, [](const auto& a) -> std::string_view { return a.name; });
  HOLDFAST_TRY(metric_index, find_name(metric, metrics, "metric"));
  HOLDFAST_TRY(above, find_name(numerator, strategies, "strategy"));
  HOLDFAST_TRY(below, find_name(denominator, strategies, "strategy"));
  std::vector<std::size_t> axis_indices;
  for (const std::string& name : by) {
    HOLDFAST_TRY(axis, find_name(name, axes, "parameter"));
    axis_indices.push_back(axis);
  }

  // Points are visited in the order of the design, so that each group adds its pairs in a fixed order.
  std::vector<RatioGroup> groups;
  std::map<std::string, std::size_t> known;
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
    const std::vector<Value> values = results.parameters(cells.position());
    std::vector<Value> own;
    own.reserve(axis_indices.size());
    for (const std::size_t axis : axis_indices) own.push_back(values[axis]);
    const std::string key = to_compact_json(Value(Value::Array(own)));
    const auto [entry, is_new] = known.emplace(key, groups.size());
    if (is_new) groups.push_back({.values = std::move(own), .ratios = {}});
    add_pairs(cells, above, below, metric_index, groups[entry->second].ratios);
    return {};
  }));
  return groups;
}

}  // namespace holdfast
