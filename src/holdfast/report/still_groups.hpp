#pragma once

#include "holdfast/report/chart_paper.hpp"
#include "holdfast/report/compare_chart.hpp"
#include "holdfast/report/group_chart.hpp"

#include <string>
#include <string_view>

/// The charts of group_chart.hpp and compare_chart.hpp as SVG that the program draws itself. Pages without the chart library
/// show them, and they are written as files.
namespace holdfast {

[[nodiscard]] std::string draw_boxes(const GroupChart& chart, const ChartPaper& paper);
[[nodiscard]] std::string draw_lines(const GroupChart& chart, const ChartPaper& paper);
[[nodiscard]] std::string draw_points(const GroupChart& chart, const ChartPaper& paper);
[[nodiscard]] std::string draw_curves(const CurveChart& chart, const ChartPaper& paper);
[[nodiscard]] std::string draw_heat(const GroupChart& chart, const ChartPaper& paper);
[[nodiscard]] std::string draw_comparison(const CompareChart& chart, double reach,
                                          const ChartPaper& paper);

/// Returns the factor up to which the colours of a heat map of ratios reach on both sides of 1.
[[nodiscard]] double reach_of_ratios(double smallest, double largest);

}  // namespace holdfast
