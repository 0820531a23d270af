#include "holdfast/pages/summary_tables.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace holdfast {
namespace {

constexpr int kDigits = 5;  // significant digits of a statistic
constexpr int kRatioDigits = 4;

Value number_or_nothing(const std::optional<double>& value) {
  return value ? Value(*value) : Value();
}

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

const Summary* summary_of(const StrategySummary& strategy, std::size_t metric) {
  const auto& summary = strategy.metrics[metric];
  return summary ? &*summary : nullptr;
}

bool any_failed(const PointSummary& summary) {
  return std::any_of(summary.strategies.begin(), summary.strategies.end(),
                     [](const StrategySummary& strategy) { return strategy.failed > 0; });
}

// One value each: a scenario that the instance fixes, or --scenarios 1.
bool is_single(const PointSummary& summary) {
  for (const StrategySummary& strategy : summary.strategies) {
    if (strategy.completed + strategy.failed > 1) return false;
  }
  return true;
}

void append_statistics(std::vector<Value>& row, const Summary* summary) {
  for (const Statistic& statistic : kStatistics) {
    row.push_back(summary == nullptr ? Value() : number_or_nothing(statistic.of(*summary)));
  }
}

Table distribution_table(const PointSummary& summary, std::span<const std::string> strategies,
                         const StoredMetric& metric) {
  Table table{.title = title_of(metric), .columns = {{"strategy"}}};
  const bool with_failed = any_failed(summary);
  for (const Statistic& statistic : kStatistics) {
    table.columns.push_back({statistic.title, unit_of(metric), kDigits});
  }
  if (with_failed) table.columns.push_back({"failed"});
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    std::vector<Value> row{Value(strategies[i])};
    append_statistics(row, summary_of(summary.strategies[i], 0));
    if (with_failed) row.emplace_back(summary.strategies[i].failed);
    table.rows.push_back(std::move(row));
  }
  return table;
}

// The means of the metrics from `first` on.
Table means_table(const PointSummary& summary, std::span<const std::string> strategies,
                  std::span<const StoredMetric> metrics, std::size_t first, std::string title) {
  Table table{.title = std::move(title), .columns = {{"strategy"}}};
  // Of one run, the ratio of the means is the ratio.
  const auto is_quotient = [&](std::size_t m) {
    return !metrics[m].denominator.empty() && !is_single(summary);
  };
  std::vector<std::size_t> shown;  // a metric that no run has is left out
  for (std::size_t m = first; m < metrics.size(); ++m) {
    const bool has_any =
        std::any_of(summary.strategies.begin(), summary.strategies.end(),
                    [m](const StrategySummary& one) { return one.metrics[m].has_value(); });
    if (has_any || m == 0) shown.push_back(m);
  }
  for (const std::size_t m : shown) {
    table.columns.push_back({title_of(metrics[m]), unit_of(metrics[m]), kDigits});
    if (is_quotient(m)) table.columns.push_back({"of means", Unit::none, kDigits});
  }
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    std::vector<Value> row{Value(strategies[i])};
    for (const std::size_t m : shown) {
      const Summary* one = summary_of(summary.strategies[i], m);
      row.push_back(one == nullptr ? Value() : Value(one->mean));
      if (is_quotient(m)) {
        row.push_back(number_or_nothing(ratio_of_means(summary.strategies[i], metrics, m)));
      }
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table comparison_table(const PointSummary& summary, std::span<const std::string> strategies,
                       std::span<const StoredMetric> metrics) {
  Table table{.title = "paired ratios",
              .columns = {{"ratio"},
                          {"metric"},
                          {"geometric mean", Unit::none, kRatioDigits},
                          {"95 % interval"},
                          {"of means", Unit::none, kRatioDigits}}};
  for (const Comparison& one : summary.comparisons) {
    if (one.metric != 0) continue;
    table.rows.push_back({Value(strategies[one.numerator] + " / " + strategies[one.denominator]),
                          Value(metrics[one.metric].name), number_or_nothing(one.geometric_mean),
                          Value(one.interval ? interval_text(*one.interval) : std::string("-")),
                          number_or_nothing(one.ratio_of_means)});
  }
  return table;
}

const Comparison* comparison_of(const PointSummary& summary, std::size_t strategy,
                                std::size_t metric) {
  for (const Comparison& one : summary.comparisons) {
    if (one.denominator == strategy && one.metric == metric) return &one;
  }
  return nullptr;
}

}  // namespace

std::string title_of(const StoredMetric& metric) {
  if (metric.unit.empty() || unit_of(metric) != Unit::none) return metric.name;
  return fmt::format("{} ({})", metric.name, metric.unit);
}

Unit unit_of(const StoredMetric& metric) {
  for (const Unit unit : {Unit::seconds, Unit::bytes, Unit::bytes_per_second, Unit::per_second}) {
    if (metric.unit == symbol(unit)) return unit;
  }
  return Unit::none;
}

std::vector<Table> point_tables(const PointSummary& summary,
                                std::span<const std::string> strategies,
                                std::span<const StoredMetric> metrics) {
  std::vector<Table> tables;
  if (metrics.empty()) return tables;
  if (is_single(summary)) {
    tables.push_back(means_table(summary, strategies, metrics, 0, "one scenario"));
  } else {
    tables.push_back(distribution_table(summary, strategies, metrics[0]));
    if (metrics.size() > 1) {
      tables.push_back(means_table(summary, strategies, metrics, 1, "means of the other metrics"));
    }
  }
  Table comparisons = comparison_table(summary, strategies, metrics);
  if (!comparisons.rows.empty()) tables.push_back(std::move(comparisons));
  return tables;
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
  for (std::size_t i = 0; i < description.axes.size(); ++i) {
    const Axis& axis = description.axes[i];
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
  for (const ParameterColumn& column : columns_) {
    table_.columns.push_back({column.title(description)});
  }
  table_.columns.push_back({"strategy"});
  for (const Statistic& statistic : kStatistics) {
    table_.columns.push_back({statistic.title, unit_of(chosen), kDigits});
  }
  if (description.baseline) {
    const std::string& baseline = description.strategies[*description.baseline];
    table_.columns.push_back({baseline + " / it", Unit::none, kRatioDigits});
    table_.columns.push_back({"95 % interval"});
  }
}

void CampaignTable::add(std::span<const Value> parameters, const PointSummary& summary) {
  for (std::size_t i = 0; i < description_->strategies.size(); ++i) {
    std::vector<Value> row;
    for (const ParameterColumn& column : columns_) row.emplace_back(column.text(parameters));
    row.emplace_back(description_->strategies[i]);
    append_statistics(row, summary_of(summary.strategies[i], metric_));
    if (description_->baseline) {
      const Comparison* comparison = comparison_of(summary, i, metric_);
      row.push_back(comparison == nullptr ? Value()
                                          : number_or_nothing(comparison->geometric_mean));
      row.push_back(comparison == nullptr || !comparison->interval
                        ? Value("-")
                        : Value(interval_text(*comparison->interval)));
    }
    table_.rows.push_back(std::move(row));
  }
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

std::string interval_text(const std::array<double, 2>& interval) {
  return fmt::format("{} to {}", to_text(interval[0], kRatioDigits),
                     to_text(interval[1], kRatioDigits));
}

}  // namespace holdfast
