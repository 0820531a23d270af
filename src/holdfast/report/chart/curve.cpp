#include "holdfast/report/chart/series.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

namespace holdfast {
namespace {

constexpr const char* kFraction = "fraction of the cells at or below";

std::string draw_curves(const CurveChart& chart, const ChartPaper& paper) {
  SeriesPicture<CurveChart, CurvePoint> picture(chart, chart.points, paper, Swatch::line);
  Reach reach(chart.quantity.is_logarithmic);
  for (const CurvePoint& point : chart.points) reach.add(point.value);
  picture.framed().x = {.title = chart.quantity.title, .range = reach.range(0.015)};
  picture.framed().y = {.title = kFraction, .scale = 100, .suffix = " %"};
  picture.framed().marks = [&](const FrameView& view, std::size_t facet) {
    std::string out;
    for (const auto& rows : picture.rows_of(facet)) {
      Along line{.is_step = true};
      for (const CurvePoint* point : rows) {
        if (!view.x().shows(point->value)) continue;
        line.x.push_back(point->value);
        line.y.push_back(point->fraction);
      }
      if (line.x.empty()) continue;
      const auto first = picture.position_of(rows[rows.size() - line.x.size()]);
      const std::size_t series = rows.front()->series;
      const SeriesStyle style = picture.style_of(series);
      out += of_series(
          series, fmt::format("<g class=\"curve\" data-row=\"{}\"><title>{}</title>{}</g>", first,
                              xml_text(chart.series.labels[series]),
                              stroke_svg(line_path(line, view), style.color, 2, style.dash)));
    }
    return out;
  };
  return picture.draw();
}

}  // namespace

PageChart curve_chart(const CurveChart& chart) {
  PageChart out{.id = chart.id, .title = chart.title, .caption = chart.caption};
  const bool has_facets = !chart.facet.labels.empty();
  if (has_facets) out.columns.push_back({"facet", chart.facet.title});
  out.columns.push_back({"series", chart.series.title});
  out.columns.push_back({"value", chart.quantity.title});
  out.columns.push_back({"fraction", kFraction});
  for (const CurvePoint& point : chart.points) {
    Value::Array row;
    if (has_facets) row.emplace_back(chart.facet.labels[point.facet]);
    row.emplace_back(chart.series.labels[point.series]);
    row.emplace_back(point.value);
    row.emplace_back(point.fraction);
    out.rows.push_back(std::move(row));
  }
  out.draw = [chart](const ChartPaper& paper) { return draw_curves(chart, paper); };
  return out;
}

}  // namespace holdfast
