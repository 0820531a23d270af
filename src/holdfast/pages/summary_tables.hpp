#pragma once

#include "holdfast/campaign/ranking.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/contract/answer.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Summaries as tables for people.
namespace holdfast {

/// Returns the name of the metric in words, with its unit if it is not a base unit: "minimum yield", "makespan (slots)".
[[nodiscard]] std::string title_of(const StoredMetric& metric);
/// Returns the base unit with this symbol, "s" or "B/s"; Unit::none for any other text.
[[nodiscard]] Unit unit_named(std::string_view name);
/// Returns the base unit of the metric.
[[nodiscard]] Unit unit_of(const StoredMetric& metric);
/// Returns a readable value of the metric: "2 d 22 h", "0.72", "312 slots".
[[nodiscard]] std::string value_text(const StoredMetric& metric, double value);

/// Returns the tables of one point, best strategy first: the ranking's metric with its distribution, the means of the other
/// metrics and, with three strategies or more, the gain of each over the baseline. If every statistic is a single value, there
/// is one table of values. For a strategy that gave up runs, the number of these runs stands in place of the means.
[[nodiscard]] std::vector<Table> point_tables(const PointSummary& summary, const Ranking& ranking,
                                              std::span<const std::string> strategies,
                                              std::span<const StoredMetric> metrics);

/// The same numbers for programs: a row per strategy and metric with every statistic, in the order of the summary.
class StatisticsTable {
 public:
  /// @param names  names of the columns that distinguish points; empty for one point
  StatisticsTable(std::vector<std::string> names, std::vector<std::string> strategies,
                  std::vector<StoredMetric> metrics);

  /// @param key  the point's values in these columns
  void add(const std::vector<Value>& key, const PointSummary& summary);
  [[nodiscard]] const Table& table() const { return table_; }

 private:
  std::vector<std::string> strategies_;
  std::vector<StoredMetric> metrics_;
  Table table_;
};

/// A column that distinguishes points: a swept parameter, or one member of a list of points.
struct ParameterColumn {
  std::size_t axis = 0;  ///< position among the axes of the description
  std::string member;    ///< empty: the parameter itself

  [[nodiscard]] std::string title(const Description& description) const;
  /// Returns the value at a point; "-" if the table of the point does not contain the member.
  [[nodiscard]] std::string text(std::span<const Value> parameters) const;
};
[[nodiscard]] std::vector<ParameterColumn> parameter_columns(const Description& description);

/// A table of many points in one metric, with a row per point and strategy, the best strategy of each point first.
class CampaignTable {
 public:
  /// @param metric  position among the metrics
  CampaignTable(const Description& description, std::size_t metric);

  void add(std::span<const Value> parameters, const PointSummary& summary, const Ranking& ranking);
  [[nodiscard]] bool is_empty() const { return table_.rows.empty(); }
  [[nodiscard]] Table table() const;

 private:
  void append_gain(std::vector<Value>& row, const PointSummary& summary,
                   std::size_t strategy) const;

  const Description* description_;
  std::size_t metric_;
  std::vector<ParameterColumn> columns_;
  Table table_;
  /// True if the metric has a bound. Then a column shows the share of the best possible value that was reached.
  bool has_bound_ = false;
};

/// Returns a parameter's value for people: "100d", "weibull, shape 0.7, mtbf 10y".
[[nodiscard]] std::string parameter_text(const Value& value);

/// Return by how many per cent the strategy in the denominator of paired ratios is better: "5.1", and for an interval "4.0 to
/// 6.2".
[[nodiscard]] Value gain_cell(const StoredMetric& metric, const std::optional<double>& ratio);
[[nodiscard]] Value gain_interval_cell(const StoredMetric& metric,
                                       const std::optional<std::array<double, 2>>& interval);

}  // namespace holdfast
