#include "holdfast/answers/reproduction_plot.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/report/chart/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace holdfast {
namespace {

// Returns "weibull-0.5-checkpoint-60s" for "weibull 0.5, checkpoint 60s".
std::string file_name(std::string title) {
  std::erase(title, ',');
  std::replace_if(
      title.begin(), title.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-' && c != '_'; },
      '-');
  return title;
}

LineChart chart_of(const reproduction::Item& item, const reproduction::Panel& panel,
                   const reproduction::Figure& figure) {
  const reproduction::Chart& chart = *item.chart;
  LineChart out{
      .title = panel.title.empty() ? item.id : fmt::format("{}: {}", item.id, panel.title),
      .x = {.title = in_words(figure.x_title),
            .unit = figure.x_unit,
            .is_logarithmic = chart.is_x_logarithmic},
      .y = {.title = in_words(chart.metric),
            .unit = figure.y_unit,
            .is_logarithmic = chart.is_y_logarithmic},
      .lines = {},
      .note = item.title,
      .band = "10th to 90th percentile"};
  for (const reproduction::Curve& curve : panel.curves) {
    ChartLine line{.name = curve.is_beside ? in_words(curve.strategy) : curve.strategy,
                   .x = curve.x,
                   .y = curve.mean};
    if (curve.is_beside) {
      line.is_thick = true;
      line.stroke = Stroke::dashed;
    } else {
      line.low = curve.p10;
      line.high = curve.p90;
    }
    out.lines.push_back(std::move(line));
  }
  return out;
}

}  // namespace

std::vector<NamedPicture> pictures_of(const reproduction::Item& item,
                                      const reproduction::Figure& figure) {
  std::vector<NamedPicture> out;
  for (const reproduction::Panel& panel : figure.panels) {
    const bool has_points = std::any_of(panel.curves.begin(), panel.curves.end(),
                                        [](const auto& curve) { return !curve.x.empty(); });
    if (!has_points) continue;
    const std::string which = panel.title.empty() ? "" : "-" + file_name(panel.title);
    out.push_back({.file = item.id + which + ".svg", .svg = to_svg(chart_of(item, panel, figure))});
  }
  return out;
}

}  // namespace holdfast
