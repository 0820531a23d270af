#include "holdfast/pages/reproduction_figure.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/pages/summary_tables.hpp"
#include "holdfast/report/chart/groups.hpp"
#include "holdfast/report/number_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace holdfast {
namespace {

/// An axis in the unit that suits its largest value.
struct ShownAxis {
  std::string title;
  double unit = 1;

  ShownAxis(std::string name, const std::string& base, double largest) : title{std::move(name)} {
    const DisplayUnit shown = display_unit(unit_named(base), largest);
    unit = shown.size;
    const std::string& text = shown.name.empty() ? base : shown.name;
    if (!text.empty()) title += fmt::format(" ({})", text);
  }
};

std::string name_of(const reproduction::Curve& curve) {
  return curve.is_beside ? in_words(curve.strategy) : curve.strategy;
}

void add_curve(const reproduction::Curve& curve, std::size_t facet, const ShownAxis& across,
               const ShownAxis& up, GroupChart& chart) {
  const auto& names = chart.series.labels;
  const auto& positions = chart.x.numbers;
  const auto series = std::find(names.begin(), names.end(), name_of(curve)) - names.begin();
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const auto x = std::lower_bound(positions.begin(), positions.end(), curve.x[i] / across.unit) -
                   positions.begin();
    ChartGroup& group = chart.groups.emplace_back();
    group.facet = facet;
    group.x = static_cast<std::size_t>(x);
    group.series = static_cast<std::size_t>(series);
    group.center = curve.mean[i] / up.unit;
    if (curve.is_beside) continue;
    group.low = curve.p10[i] / up.unit;
    group.high = curve.p90[i] / up.unit;
  }
}

}  // namespace

std::optional<PageChart> figure_chart(const std::string& title, const reproduction::Item& item,
                                      std::span<const reproduction::Panel> panels,
                                      const reproduction::Figure& figure) {
  std::set<double> positions;
  double highest = 0;
  for (const auto& panel : panels) {
    for (const auto& curve : panel.curves) {
      positions.insert(curve.x.begin(), curve.x.end());
      for (const double mean : curve.mean) highest = std::max(highest, std::abs(mean));
    }
  }
  if (positions.empty()) return std::nullopt;
  const reproduction::Chart& what = *item.chart;
  const ShownAxis across(in_words(figure.x_title), figure.x_unit, *positions.rbegin());
  const ShownAxis up(in_words(what.metric), figure.y_unit, highest);
  GroupChart chart;
  chart.title = title;
  chart.caption = "Mean, and the band from the 10th to the 90th percentile, as measured now.";
  chart.quantity = {.title = up.title,
                    .is_logarithmic = what.is_y_logarithmic,
                    .band = "10th to 90th percentile"};
  chart.x = {.title = across.title, .labels = {}, .is_logarithmic = what.is_x_logarithmic};
  chart.series = {.title = "strategy", .labels = what.strategies};
  for (const std::string& metric : what.beside) chart.series.labels.push_back(in_words(metric));
  for (const double position : positions) {
    chart.x.numbers.push_back(position / across.unit);
    chart.x.labels.push_back(to_text(chart.x.numbers.back()));
  }
  if (panels.size() > 1) chart.facet.title = "panel";
  for (std::size_t f = 0; f < panels.size(); ++f) {
    if (panels.size() > 1) chart.facet.labels.push_back(panels[f].title);
    for (const auto& curve : panels[f].curves) add_curve(curve, f, across, up, chart);
  }
  return line_chart(chart);
}

}  // namespace holdfast
