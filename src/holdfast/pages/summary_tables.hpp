#pragma once

#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/contract/answer.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// Summaries as tables for people.
namespace holdfast {

/// The metric's name with its unit where that is none of ours: "makespan", "makespan (slots)".
[[nodiscard]] std::string title_of(const StoredMetric& metric);
[[nodiscard]] Unit unit_of(const StoredMetric& metric);

/// One point: the first metric with its distribution, the means of the others, the comparisons. Where every statistic
/// is one value, one table of values.
[[nodiscard]] std::vector<Table> point_tables(const PointSummary& summary,
                                              std::span<const std::string> strategies,
                                              std::span<const StoredMetric> metrics);

/// A column that tells points apart: a swept parameter, or one member of a list of points.
struct ParameterColumn {
  std::size_t axis = 0;
  std::string member;  ///< empty: the parameter itself

  [[nodiscard]] std::string title(const Description& description) const;
  /// What a point says there; "-" where its table does not name the member.
  [[nodiscard]] std::string text(std::span<const Value> parameters) const;
};
[[nodiscard]] std::vector<ParameterColumn> parameter_columns(const Description& description);

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
  std::vector<ParameterColumn> columns_;
  Table table_;
};

/// A parameter's value for people: "100d", "weibull, shape 0.7, mtbf 10y".
[[nodiscard]] std::string parameter_text(const Value& value);

/// "1.11 to 1.19".
[[nodiscard]] std::string interval_text(const std::array<double, 2>& interval);

}  // namespace holdfast
