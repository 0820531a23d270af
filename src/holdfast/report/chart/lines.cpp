#include "holdfast/report/chart/lines.hpp"

#include "holdfast/report/chart/series.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace holdfast {
namespace {

constexpr double kPlot = 360;  // height of the area between the axes

std::string stroke(const ChartLine& line, std::string_view path, std::string_view color) {
  return stroke_svg(path, color, line.is_thick ? 3.4 : 1.8,
                    line.stroke == Stroke::dashed   ? "7 4"
                    : line.stroke == Stroke::dotted ? "2 3"
                                                    : "");
}

std::string line_svg(const ChartLine& line, const FrameView& view, const SeriesStyle& style) {
  std::string out;
  if (line.is_points) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (view.x().shows(line.x[i]) && view.y().shows(line.y[i]))
        out += symbol_svg(style, view.x().place(line.x[i]), view.y().place(line.y[i]));
    }
    return out;
  }
  const std::string path = line_path({line.x, line.y, line.is_step}, view);
  return fmt::format("<g><title>{}</title>{}</g>\n", xml_text(line.name),
                     stroke(line, path, style.color));
}

// Returns the look of each line; a line that shares the colour of another shares its symbol too.
std::vector<SeriesStyle> styles_of(const LineChart& chart, const ChartPaper& paper) {
  std::vector<std::string> names;
  std::vector<SeriesStyle> out;
  for (const ChartLine& line : chart.lines) {
    const std::string& name = line.color_of.empty() ? line.name : line.color_of;
    const auto at = std::find(names.begin(), names.end(), name);
    const auto series = static_cast<std::size_t>(at - names.begin());
    if (at == names.end()) names.push_back(name);
    out.emplace_back(paper, series, std::nullopt);
  }
  return out;
}

FrameAxis axis_of(const ChartAxis& axis, const std::vector<const std::vector<double>*>& all) {
  Reach reach(axis.is_logarithmic);
  for (const double value : axis.shown) reach.add(value);
  for (const std::vector<double>* values : all) {
    for (const double value : *values) reach.add(value);
  }
  return {.title = axis.title, .range = reach.range(0), .unit = axis.unit};
}

// Returns true if the line has a band that can be seen.
bool has_band(const ChartLine& line) {
  return line.low != line.high;
}

void add_legend(const LineChart& chart, const std::vector<SeriesStyle>& styles,
                FramedChart& framed) {
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    framed.legend.push_back(
        {chart.lines[i].name, [&line = chart.lines[i], style = styles[i]](double x, double y) {
           return line.is_points
                      ? symbol_svg(style, x, y)
                      : stroke(line, fmt::format("M{:g} {:g}h17", x - 8, y), style.color);
         }});
  }
  const auto banded = std::find_if(chart.lines.begin(), chart.lines.end(), has_band);
  if (banded == chart.lines.end() || chart.band.empty()) return;
  // In the colour of the only line that has one.
  const bool is_alone = std::none_of(banded + 1, chart.lines.end(), has_band);
  const std::string_view color =
      is_alone ? styles[static_cast<std::size_t>(banded - chart.lines.begin())].color : "#888888";
  framed.legend.push_back(
      {chart.band, [color](double x, double y) {
         return fmt::format(
             "<rect x=\"{:g}\" y=\"{:g}\" width=\"17\" height=\"12\" fill=\"{}\" "
             "fill-opacity=\"0.2\"/>",
             x - 8, y - 6, color);
       }});
}

}  // namespace

std::string to_svg(const LineChart& chart, const ChartPaper& paper) {
  std::vector<const std::vector<double>*> across;
  std::vector<const std::vector<double>*> up;
  for (const ChartLine& line : chart.lines) {
    across.push_back(&line.x);
    for (const auto* values : {&line.y, &line.low, &line.high}) up.push_back(values);
  }
  const std::vector<SeriesStyle> styles = styles_of(chart, paper);
  FramedChart framed{.title = chart.title,
                     .caption = chart.note,
                     .x = axis_of(chart.x, across),
                     .y = axis_of(chart.y, up),
                     .height = kPlot};
  add_legend(chart, styles, framed);
  framed.marks = [&](const FrameView& view, std::size_t) {
    std::string bands;
    std::string lines;
    for (std::size_t i = 0; i < chart.lines.size(); ++i) {
      const ChartLine& line = chart.lines[i];
      if (!line.low.empty())
        bands += band_svg({line.x, line.low, line.is_step}, line.high, view, styles[i].color);
      lines += line_svg(line, view, styles[i]);
    }
    return bands + lines;
  };
  return draw(framed, paper);
}

PageChart page_chart(std::string id, std::string title, std::string caption, LineChart chart) {
  const auto titled = [](const ChartAxis& axis) {
    return axis.unit.empty() ? axis.title : fmt::format("{} ({})", axis.title, axis.unit);
  };
  PageChart out{.id = std::move(id),
                .title = std::move(title),
                .caption = std::move(caption),
                .columns = {{"line", "line"}, {"x", titled(chart.x)}, {"y", titled(chart.y)}}};
  for (const ChartLine& line : chart.lines) {
    for (std::size_t i = 0; i < line.x.size(); ++i)
      out.rows.push_back({line.name, line.x[i], line.y[i]});
  }
  out.draw = [chart = std::move(chart)](const ChartPaper& paper) { return to_svg(chart, paper); };
  return out;
}

}  // namespace holdfast
