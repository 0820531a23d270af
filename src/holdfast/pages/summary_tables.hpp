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

/// Returns the metric in words, with its unit where that is none of ours: "minimum yield", "makespan (slots)".
[[nodiscard]] std::string title_of(const StoredMetric& metric);
[[nodiscard]] Unit unit_of(const StoredMetric& metric);
/// Returns a value of the metric as people read it: "2 d 22 h", "0.72", "312 slots".
[[nodiscard]] std::string value_text(const StoredMetric& metric, double value);

/// Returns one point, the best strategy first: the ranking's metric with its distribution, the means of the others; from three
/// strategies on what each gains over the baseline. Where every statistic is one value, one table of values. A strategy
/// that gave up runs has no mean of anything: how many stands there.
[[nodiscard]] std::vector<Table> point_tables(const PointSummary& summary, const Ranking& ranking,
                                              std::span<const std::string> strategies,
                                              std::span<const StoredMetric> metrics);

/// The same for programs: a row per strategy and metric, with every statistic, in the order of the summary.
class StatisticsTable {
 public:
  /// @param names  of what tells points apart; empty for one point
  StatisticsTable(std::vector<std::string> names, std::vector<std::string> strategies,
                  std::vector<StoredMetric> metrics);

  /// @param key  the point's values of those
  void add(const std::vector<Value>& key, const PointSummary& summary);
  [[nodiscard]] const Table& table() const { return table_; }

 private:
  std::vector<std::string> strategies_;
  std::vector<StoredMetric> metrics_;
  Table table_;
};

/// A column that tells points apart: a swept parameter, or one member of a list of points.
struct ParameterColumn {
  std::size_t axis = 0;
  std::string member;  ///< empty: the parameter itself

  [[nodiscard]] std::string title(const Description& description) const;
  /// Returns what a point says there; "-" where its table does not name the member.
  [[nodiscard]] std::string text(std::span<const Value> parameters) const;
};
[[nodiscard]] std::vector<ParameterColumn> parameter_columns(const Description& description);

/// A table of many points in one metric, a row per point and strategy, the best strategy of each point first.
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
  /// True if the metric has a bound: then its column says how much of what is possible was reached.
  bool has_bound_ = false;
};

/// Returns a parameter's value for people: "100d", "weibull, shape 0.7, mtbf 10y".
[[nodiscard]] std::string parameter_text(const Value& value);

/// Returns the gain of the denominator of paired ratios in per cent: "5.1", and "4.0 to 6.2" of an interval.
[[nodiscard]] Value gain_cell(const StoredMetric& metric, const std::optional<double>& ratio);
[[nodiscard]] Value gain_interval_cell(const StoredMetric& metric,
                                       const std::optional<std::array<double, 2>>& interval);

/// Returns "1.11 to 1.19".
[[nodiscard]] std::string interval_text(const std::array<double, 2>& interval);

}  // namespace holdfast
