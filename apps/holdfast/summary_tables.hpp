#pragma once

#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/contract/answer.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// Summaries as tables for people.
namespace holdfast::cli {

/// The metric's name with its unit where that is none of ours: "makespan", "makespan (slots)".
[[nodiscard]] std::string title_of(const StoredMetric& metric);
[[nodiscard]] Unit unit_of(const StoredMetric& metric);

/// One point: the first metric with its distribution, the means of the others, the comparisons. Where every statistic
/// is one value, one table of values.
[[nodiscard]] std::vector<Table> point_tables(const PointSummary& summary,
                                              std::span<const std::string> strategies,
                                              std::span<const StoredMetric> metrics);

/// A table of many points in one metric, a row per point and strategy.
class CampaignTable {
 public:
  /// @param metric  position among the metrics
  CampaignTable(const Description& description, std::size_t metric);

  void add(std::span<const Value> parameters, const PointSummary& summary);
  [[nodiscard]] const Table& table() const { return table_; }

 private:
  const Description* description_;
  std::size_t metric_;
  Table table_;
};

/// A parameter's value for people: "100d", "weibull, shape 0.7, mtbf 10y".
[[nodiscard]] std::string parameter_text(const Value& value);

/// "1.11 to 1.19"; empty where there is none.
[[nodiscard]] std::string interval_text(const Comparison& comparison);

}  // namespace holdfast::cli
