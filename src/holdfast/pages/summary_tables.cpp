#include "holdfast/pages/summary_tables.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/pages/gain.hpp"
#include "holdfast/pages/table_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace holdfast {
namespace {

constexpr int kDigits = 5;      // significant digits of a statistic
constexpr int kGainDigits = 3;  // significant digits of a percentage
constexpr int kReachedDigits = 4;
constexpr const char* kReachedTitle = "% of possible";

struct Statistic {
  const char* title;
  std::optional<double> (*of)(const Summary&);
};

constexpr Statistic kStatistics[] = {
    {"mean", [](const Summary& s) { return std::optional(s.mean); }},
    {"s.e.", [](const Summary& s) { return s.standard_error; }},
    {"p10", [](const Summary& s) { return std::optional(s.p10); }},
    {"median", [](const Summary& s) { return std::optional(s.median); }},
    {"p90", [](const Summary& s) { return std::optional(s.p90); }},
};

// Returns the statistics of a metric that are shown: none for a strategy that gave up runs, because its completed runs are a
// biased sample.
const Summary* shown_of(const StrategySummary& strategy, std::size_t metric) {
  const auto& summary = strategy.metrics[metric];
  return summary && strategy.failed == 0 ? &*summary : nullptr;
}

// Returns the share of the best possible value in per cent; an empty cell for a bound itself.
Value reached_cell(const PointSummary& summary, const Ranking& ranking, std::size_t strategy,
                   std::size_t metric) {
  const StrategySummary& one = summary.strategies[strategy];
  if (one.failed > 0 || is_among(ranking.bounds, strategy)) return {};
  return one.reached[metric] ? Value(100 * one.reached[metric]->mean) : Value();
}

bool has_reached(const PointSummary& summary, const Ranking& ranking, std::size_t metric) {
  return std::any_of(ranking.order.begin(), ranking.order.end(), [&](std::size_t strategy) {
    return summary.strategies[strategy].failed == 0 &&
           summary.strategies[strategy].reached[metric].has_value();
  });
}

bool any_failed(const PointSummary& summary) {
  return std::any_of(summary.strategies.begin(), summary.strategies.end(),
                     [](const StrategySummary& strategy) { return strategy.failed > 0; });
}

// Returns true if every statistic is of one value, because the instance fixes the scenario or there is only one.
bool is_single(const PointSummary& summary) {
  return std::all_of(
      summary.strategies.begin(), summary.strategies.end(),
      [](const StrategySummary& strategy) { return strategy.completed + strategy.failed <= 1; });
}

Value given_up_cell(const StrategySummary& strategy) {
  if (strategy.failed == 0) return "none";
  return fmt::format("{} of {}", strategy.failed, strategy.completed + strategy.failed);
}

void append_statistics(std::vector<Value>& row, const Summary* summary) {
  for (const Statistic& statistic : kStatistics) {
    row.push_back(summary == nullptr ? Value() : number_or_nothing(statistic.of(*summary)));
  }
}

// Returns the rows to be marked in a table that begins with the best strategy.
std::vector<std::size_t> best_rows(const Ranking& ranking, const StoredMetric& metric,
                                   std::size_t first = 0) {
  if (metric.better == Better::neither || ranking.order.size() < 2) return {};
  return {first};
}

Table distribution_table(const PointSummary& summary, const Ranking& ranking,
                         std::span<const std::string> strategies, const StoredMetric& metric) {
  Table table{.title = title_of(metric), .columns = {{"strategy"}}};
  const bool with_failed = any_failed(summary);
  for (const Statistic& statistic : kStatistics) {
    table.columns.push_back({statistic.title, unit_of(metric), kDigits});
  }
  const bool with_reached = has_reached(summary, ranking, ranking.metric);
  if (with_reached) table.columns.push_back({kReachedTitle, Unit::none, kReachedDigits});
  if (with_failed) table.columns.push_back({"given up"});
  table.best = best_rows(ranking, metric);
  for (const std::size_t i : ranking.rows()) {
    std::vector<Value> row{Value(strategies[i])};
    append_statistics(row, shown_of(summary.strategies[i], ranking.metric));
    if (with_reached) row.push_back(reached_cell(summary, ranking, i, ranking.metric));
    if (with_failed) row.push_back(given_up_cell(summary.strategies[i]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Returns the metrics that some strategy shows, the ranking's metric first, unless it has its own table.
std::vector<std::size_t> metrics_of_means(const PointSummary& summary, std::size_t count,
                                          std::size_t ranked) {
  std::vector<std::size_t> shown;
  if (is_single(summary)) shown.push_back(ranked);
  for (std::size_t m = 0; m < count; ++m) {
    const bool has_any =
        std::any_of(summary.strategies.begin(), summary.strategies.end(),
                    [m](const StrategySummary& one) { return shown_of(one, m) != nullptr; });
    if (has_any && m != ranked) shown.push_back(m);
  }
  return shown;
}

Table means_table(const PointSummary& summary, const Ranking& ranking,
                  std::span<const std::string> strategies, std::span<const StoredMetric> metrics) {
  const bool is_one = is_single(summary);
  const bool with_failed = is_one && any_failed(summary);
  Table table{.title = is_one ? "one scenario" : "means of the other metrics",
              .columns = {{"strategy"}}};
  // For a single run, the ratio of the means is the ratio itself.
  const auto is_quotient = [&](std::size_t m) {
    return !metrics[m].denominator.empty() && !is_one;
  };
  const std::vector<std::size_t> shown = metrics_of_means(summary, metrics.size(), ranking.metric);
  for (const std::size_t m : shown) {
    table.columns.push_back({title_of(metrics[m]), unit_of(metrics[m]), kDigits});
    if (is_quotient(m)) table.columns.push_back({"of means", Unit::none, kDigits});
    if (has_reached(summary, ranking, m))
      table.columns.push_back({kReachedTitle, Unit::none, kReachedDigits});
  }
  if (with_failed) table.columns.push_back({"given up"});
  for (const std::size_t i : ranking.rows()) {
    std::vector<Value> row{Value(strategies[i])};
    for (const std::size_t m : shown) {
      const Summary* one = shown_of(summary.strategies[i], m);
      row.push_back(one == nullptr ? Value() : Value(one->mean));
      if (is_quotient(m)) {
        row.push_back(one == nullptr
                          ? Value()
                          : number_or_nothing(ratio_of_means(summary.strategies[i], metrics, m)));
      }
      if (has_reached(summary, ranking, m)) row.push_back(reached_cell(summary, ranking, i, m));
    }
    if (with_failed) row.push_back(given_up_cell(summary.strategies[i]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

const Comparison* comparison_of(const PointSummary& summary, std::size_t strategy,
                                std::size_t metric) {
  for (const Comparison& one : summary.comparisons) {
    const bool is_known = summary.strategies[one.numerator].failed == 0 &&
                          summary.strategies[one.denominator].failed == 0;
    if (one.denominator == strategy && one.metric == metric) return is_known ? &one : nullptr;
  }
  return nullptr;
}

// Returns the table of gains; nothing for two strategies, for which the verdict states the gain.
std::optional<Table> gain_table(const PointSummary& summary, const Ranking& ranking,
                                std::span<const std::string> strategies,
                                const StoredMetric& metric) {
  const auto first =
      std::find_if(summary.comparisons.begin(), summary.comparisons.end(),
                   [&ranking](const Comparison& one) { return one.metric == ranking.metric; });
  if (ranking.order.size() < 3 || first == summary.comparisons.end()) return std::nullopt;
  Table table{.title = fmt::format("{}: how much better than {}, draw by draw", label_of(metric),
                                   strategies[first->numerator]),
              .columns = {{"strategy"},
                          {"better by (%)", Unit::none, kGainDigits},
                          {"95 % interval"},
                          {"by the means (%)", Unit::none, kGainDigits}}};
  for (const std::size_t i : ranking.order) {
    const Comparison* one = comparison_of(summary, i, ranking.metric);
    if (one == nullptr) continue;
    table.rows.push_back({strategies[i], gain_cell(metric, one->geometric_mean),
                          gain_interval_cell(metric, one->interval),
                          gain_cell(metric, one->ratio_of_means)});
  }
  return table;
}

}  // namespace

std::string title_of(const StoredMetric& metric) {
  if (metric.unit.empty() || unit_of(metric) != Unit::none) return label_of(metric);
  return fmt::format("{} ({})", label_of(metric), metric.unit);
}

std::string value_text(const StoredMetric& metric, double value) {
  const Unit unit = unit_of(metric);
  if (unit != Unit::none) return format_quantity(value, unit);
  const std::string number = to_text(value, 4);
  return metric.unit.empty() ? number : number + " " + metric.unit;
}

Unit unit_named(std::string_view name) {
  for (const Unit unit : {Unit::seconds, Unit::bytes, Unit::bytes_per_second, Unit::per_second}) {
    if (name == symbol(unit)) return unit;
  }
  return Unit::none;
}

Unit unit_of(const StoredMetric& metric) {
  return unit_named(metric.unit);
}

Value gain_cell(const StoredMetric& metric, const std::optional<double>& ratio) {
  if (!ratio || *ratio == 0) return {};
  return 100 * gain(metric, 1 / *ratio);
}

Value gain_interval_cell(const StoredMetric& metric,
                         const std::optional<std::array<double, 2>>& interval) {
  if (!interval) return "-";
  return gains_text(metric, 1 / (*interval)[0], 1 / (*interval)[1]);
}

std::vector<Table> point_tables(const PointSummary& summary, const Ranking& ranking,
                                std::span<const std::string> strategies,
                                std::span<const StoredMetric> metrics) {
  std::vector<Table> tables;
  if (metrics.empty()) return tables;
  const StoredMetric& metric = metrics[ranking.metric];
  if (!is_single(summary))
    tables.push_back(distribution_table(summary, ranking, strategies, metric));
  Table means = means_table(summary, ranking, strategies, metrics);
  if (means.columns.size() > 1) tables.push_back(std::move(means));
  if (auto gains = gain_table(summary, ranking, strategies, metric))
    tables.push_back(std::move(*gains));
  return tables;
}

StatisticsTable::StatisticsTable(std::vector<std::string> names,
                                 std::vector<std::string> strategies,
                                 std::vector<StoredMetric> metrics)
    : strategies_(std::move(strategies)), metrics_(std::move(metrics)) {
  for (std::string& name : names) table_.columns.push_back({std::move(name)});
  for (const char* title :
       {"strategy", "metric", "unit", "mean", "standard_error", "minimum", "p10", "p25", "median",
        "p75", "p90", "maximum", "count", "completed", "given_up", "possible"}) {
    table_.columns.push_back({title});
  }
}

void StatisticsTable::add(const std::vector<Value>& key, const PointSummary& summary) {
  for (std::size_t i = 0; i < strategies_.size(); ++i) {
    const StrategySummary& strategy = summary.strategies[i];
    for (std::size_t m = 0; m < metrics_.size(); ++m) {
      std::vector<Value> row = key;
      for (const std::string& text : {strategies_[i], metrics_[m].name, metrics_[m].unit})
        row.emplace_back(text);
      const Summary* one = shown_of(strategy, m);
      const Summary known = one == nullptr ? Summary{} : *one;
      for (const std::optional<double>& value :
           {std::optional(known.mean), known.standard_error, std::optional(known.minimum),
            std::optional(known.p10), std::optional(known.p25), std::optional(known.median),
            std::optional(known.p75), std::optional(known.p90), std::optional(known.maximum)}) {
        row.push_back(one == nullptr ? Value() : number_or_nothing(value));
      }
      row.emplace_back(one == nullptr ? 0 : known.count);
      row.emplace_back(strategy.completed);
      row.emplace_back(strategy.failed);
      const auto& reached = strategy.reached[m];
      row.push_back(one == nullptr || !reached ? Value() : Value(reached->mean));
      table_.rows.push_back(std::move(row));
    }
  }
}

std::string ParameterColumn::title(const Description& description) const {
  return member.empty() ? description.axes[axis].name : member;
}

std::string ParameterColumn::text(std::span<const Value> parameters) const {
  const Value& value = parameters[axis];
  if (member.empty()) return parameter_text(value);
  const Value* part = value.find(member);
  return part == nullptr ? "-" : parameter_text(*part);
}

std::vector<ParameterColumn> parameter_columns(const Description& description) {
  std::vector<ParameterColumn> columns;
  // A list that is not swept is an axis of one value and does not distinguish points.
  const auto is_swept = [](const Axis& axis) { return axis.values.size() > 1; };
  const bool some_are = std::any_of(description.axes.begin(), description.axes.end(), is_swept);
  for (std::size_t i = 0; i < description.axes.size(); ++i) {
    const Axis& axis = description.axes[i];
    if (some_are && !is_swept(axis)) continue;
    if (axis.name != kPointsAxis) {
      columns.push_back({i, {}});
      continue;
    }
    for (const Value& point : axis.values) {
      for (const auto& [name, value] : *point.members()) {
        const bool is_known = std::any_of(
            columns.begin(), columns.end(),
            [&name = name](const ParameterColumn& column) { return column.member == name; });
        if (!is_known) columns.push_back({i, name});
      }
    }
  }
  return columns;
}

CampaignTable::CampaignTable(const Description& description, std::size_t metric)
    : description_(&description), metric_(metric), columns_(parameter_columns(description)) {
  const StoredMetric& chosen = description.metrics[metric];
  table_.title = title_of(chosen);
  if (description.baseline) {
    table_.title += fmt::format(", and how much better than {}, draw by draw",
                                description.strategies[*description.baseline]);
  }
  for (const ParameterColumn& column : columns_) {
    table_.columns.push_back({column.title(description)});
  }
  table_.columns.push_back({"strategy"});
  for (const Statistic& statistic : kStatistics) {
    table_.columns.push_back({statistic.title, unit_of(chosen), kDigits});
  }
  has_bound_ = bound_on(description.metrics, metric, description.bounds).has_value();
  if (has_bound_) table_.columns.push_back({kReachedTitle, Unit::none, kReachedDigits});
  if (description.baseline) {
    table_.columns.push_back({"better by (%)", Unit::none, kGainDigits});
    table_.columns.push_back({"95 % interval"});
  }
}

void CampaignTable::add(std::span<const Value> parameters, const PointSummary& summary,
                        const Ranking& ranking) {
  for (const std::size_t row :
       best_rows(ranking, description_->metrics[metric_], table_.rows.size()))
    table_.best.push_back(row);
  for (const std::size_t i : ranking.rows()) {
    std::vector<Value> row;
    for (const ParameterColumn& column : columns_) row.emplace_back(column.text(parameters));
    row.emplace_back(description_->strategies[i]);
    append_statistics(row, shown_of(summary.strategies[i], metric_));
    if (has_bound_) row.push_back(reached_cell(summary, ranking, i, metric_));
    if (description_->baseline) append_gain(row, summary, i);
    row.push_back(given_up_cell(summary.strategies[i]));
    table_.rows.push_back(std::move(row));
  }
}

void CampaignTable::append_gain(std::vector<Value>& row, const PointSummary& summary,
                                std::size_t strategy) const {
  const StoredMetric& metric = description_->metrics[metric_];
  const Comparison* known = comparison_of(summary, strategy, metric_);
  row.push_back(known == nullptr ? Value() : gain_cell(metric, known->geometric_mean));
  row.push_back(known == nullptr ? Value("-") : gain_interval_cell(metric, known->interval));
}

// Returns the table, without the column of runs given up if there were none.
Table CampaignTable::table() const {
  Table out = table_;
  const bool has_given_up = std::any_of(out.rows.begin(), out.rows.end(), [](const auto& row) {
    return *row.back().string() != "none";
  });
  if (has_given_up) {
    out.columns.push_back({"given up"});
    return out;
  }
  for (auto& row : out.rows) row.pop_back();
  return out;
}

std::string parameter_text(const Value& value) {
  if (const std::string* text = value.string()) return *text;
  const Value::Object* members = value.members();
  if (members == nullptr) return to_compact_json(value);
  std::vector<std::string> parts;
  for (const auto& [name, member] : *members) {
    parts.push_back(name == "distribution" || name == "model"
                        ? parameter_text(member)
                        : name + " " + parameter_text(member));
  }
  return join(parts, ", ");
}

}  // namespace holdfast
