#pragma once

#include "holdfast/campaign/results.hpp"
#include "holdfast/pages/choice.hpp"
#include "holdfast/pages/grouped_cells.hpp"
#include "holdfast/report/page.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// The charts that [report] chooses, computed in one pass over the cells.
class CampaignCharts {
 public:
  /// Both arguments must outlive the charts.
  CampaignCharts(const Description& description, const ReportChoice& choice);
  CampaignCharts(const CampaignCharts&) = delete;  // its groups refer to its dimensions
  CampaignCharts& operator=(const CampaignCharts&) = delete;

  void add(const PointCells& cells);
  /// Returns the charts in the order chosen. Charts without data (no pair, only one draw) are left out.
  [[nodiscard]] std::vector<PageChart> finish();

 private:
  [[nodiscard]] bool wants(ChartKind kind) const;
  /// @param compare  true: compare with the baseline
  void add_cell(const PointCells& cells, std::size_t draw, std::size_t strategy, bool compare);
  [[nodiscard]] std::optional<PageChart> chart(ChartKind kind);
  [[nodiscard]] PageChart grouped(ChartKind kind);
  [[nodiscard]] std::optional<PageChart> heat();
  [[nodiscard]] PageChart curves() const;
  [[nodiscard]] ChartQuantity metric_quantity(const GroupedCells& cells, double& unit) const;
  [[nodiscard]] ChartQuantity gain_quantity() const;
  [[nodiscard]] const std::string& baseline_name() const;
  /// Sets whether the scale is logarithmic: if that was asked for, or if the values are far apart.
  /// @param range_of  returns the least and the largest value of a mark
  template <class Marks, class RangeOf>
  void set_scale(ChartQuantity& quantity, const Marks& marks, const RangeOf& range_of) const;
  /// Returns what the groups of a chart pool.
  [[nodiscard]] std::string taken_together(std::initializer_list<const Dimension*> shown) const;
  [[nodiscard]] std::optional<std::size_t> reference() const;

  const Description* description_;
  const ReportChoice* choice_;
  Dimension strategy_;
  // A page must stay usable, however many values a parameter has.
  std::optional<Dimension> line_x_;  ///< x of `values_`
  std::optional<Dimension> x_;       ///< x of boxes of gains, and of heat maps
  std::optional<Dimension> y_;
  std::optional<Dimension> facet_;
  GroupedCells values_;
  GroupedCells gains_;
  std::optional<GroupedCells> heat_;
  bool has_pairs_ = false;
  bool leaves_out_ = false;  ///< true: strategies are left out at points where they gave up runs
};

}  // namespace holdfast
