#include "holdfast/report/line_chart.hpp"

#include "holdfast/report/chart_scale.hpp"
#include "holdfast/report/palette.hpp"
#include "holdfast/report/svg_text.hpp"
#include "holdfast/report/time_axis.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace holdfast {
namespace {

constexpr double kWidth = 720;
constexpr double kLeastWidth = 320;
constexpr double kPlot = 360;  // height of the area between the axes
constexpr double kLeft = 86;
constexpr double kRight = 20;
constexpr double kMargin = 12;  // space left of the title and the legend
constexpr double kBottom = 56;
constexpr double kFont = 14;
constexpr int kTicks = 7;
constexpr std::string_view kBandInk = "#888888";

struct AxisExtent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(const std::vector<double>& values, const ChartAxis& axis) {
    for (const double value : values) {
      if (!std::isfinite(value) || (axis.is_logarithmic && !(value > 0))) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
};

struct Point {
  double x = 0;
  double y = 0;
};
using Run = std::vector<Point>;

std::string path_of(const Run& run, char first) {
  std::string out;
  for (const Point& point : run) {
    out += fmt::format("{}{:.1f} {:.1f}", out.empty() ? first : 'L', point.x, point.y);
  }
  return out;
}

class ChartPicture {
 public:
  explicit ChartPicture(const LineChart& chart)
      : chart_{chart},
        title_{{.title = chart.title, .note = chart.note}, kWidth - 2 * kMargin},
        legend_{kMargin, kWidth - kRight, kFont},
        top_{title_.height() + legend_height(chart) + kMargin},
        x_{{.low = extent(chart, true).low,
            .high = extent(chart, true).high,
            .is_logarithmic = chart.x.is_logarithmic},
           {kLeft, kWidth - kRight}},
        y_{{.low = extent(chart, false).low,
            .high = extent(chart, false).high,
            .is_logarithmic = chart.y.is_logarithmic},
           {top_ + kPlot, top_}} {
    for (const ChartLine& line : chart.lines) color(line);
  }

  std::string draw() {
    out_ = svg_start(kWidth, top_ + kPlot + kBottom, kLeastWidth, kFont, chart_.title);
    out_ += title_.svg(kMargin);
    draw_legend();
    draw_axes();
    for (const ChartLine& line : chart_.lines) draw_band(line);
    for (const ChartLine& line : chart_.lines) draw_line(line);
    return std::move(out_) + "</svg>\n";
  }

 private:
  static AxisExtent extent(const LineChart& chart, bool is_x) {
    AxisExtent all;
    all.add(is_x ? chart.x.shown : chart.y.shown, is_x ? chart.x : chart.y);
    for (const ChartLine& line : chart.lines) {
      all.add(is_x ? line.x : line.y, is_x ? chart.x : chart.y);
      if (!is_x) all.add(line.low, chart.y);
      if (!is_x) all.add(line.high, chart.y);
    }
    return all;
  }

  static bool has_bands(const LineChart& chart) {
    return std::any_of(chart.lines.begin(), chart.lines.end(),
                       [](const ChartLine& line) { return !line.low.empty(); });
  }

  // Returns the texts in the order of the legend: the lines, then their bands.
  static std::vector<std::string_view> legend_texts(const LineChart& chart) {
    std::vector<std::string_view> texts;
    for (const ChartLine& line : chart.lines) texts.push_back(line.name);
    if (has_bands(chart) && !chart.band.empty()) texts.push_back(chart.band);
    return texts;
  }

  static double legend_height(const LineChart& chart) {
    LegendRows rows(kMargin, kWidth - kRight, kFont);
    for (const std::string_view text : legend_texts(chart)) rows.next(text);
    return rows.height();
  }

  std::string_view color(const ChartLine& line) {
    return palette_.color(line.color_of.empty() ? line.name : line.color_of);
  }

  void draw_axes() {
    constexpr std::string_view kGrid = "stroke=\"#dddddd\"";
    const TimeAxis across = x_.ticks(chart_.x.unit, kTicks);
    const double floor = top_ + kPlot;
    for (const TimeAxis::Tick& tick : across.ticks) {
      const double x = x_.place(tick.at);
      out_ += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:g}\" x2=\"{0:.1f}\" y2=\"{2:g}\" {3}/>", x,
                          top_, floor, kGrid);
      out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:g}\" text-anchor=\"middle\">{}</text>\n", x,
                          floor + 19, xml_text(tick.text));
    }
    const TimeAxis up = y_.ticks(chart_.y.unit, kTicks);
    for (const TimeAxis::Tick& tick : up.ticks) {
      const double y = y_.place(tick.at);
      out_ += fmt::format("<line x1=\"{1:g}\" y1=\"{0:.1f}\" x2=\"{2:g}\" y2=\"{0:.1f}\" {3}/>", y,
                          kLeft, kWidth - kRight, kGrid);
      out_ += fmt::format("<text x=\"{:g}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                          kLeft - 8, y + 4, xml_text(tick.text));
    }
    out_ += fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\">{}</text>\n",
                        0.5 * (kLeft + kWidth - kRight), floor + 44, titled(chart_.x, across.unit));
    out_ += fmt::format(
        "<text transform=\"translate(20 {:g}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        0.5 * (top_ + floor), titled(chart_.y, up.unit));
  }

  static std::string titled(const ChartAxis& axis, const std::string& unit) {
    return xml_text(unit.empty() ? axis.title : fmt::format("{} ({})", axis.title, unit));
  }

  /// Returns the visible points of a line, with corners for steps, as separate runs if there are gaps.
  [[nodiscard]] std::vector<Run> runs(const ChartLine& line,
                                      const std::vector<double>& values) const {
    std::vector<Run> out;
    bool is_drawing = false;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (!x_.shows(line.x[i]) || !y_.shows(values[i])) {
        is_drawing = false;
        continue;
      }
      const Point point{x_.place(line.x[i]), y_.place(values[i])};
      if (!is_drawing) out.emplace_back();
      if (is_drawing && line.is_step) out.back().push_back({point.x, out.back().back().y});
      out.back().push_back(point);
      is_drawing = true;
    }
    return out;
  }

  void draw_band(const ChartLine& line) {
    if (line.low.empty()) return;
    // A gap in one edge is a gap in the band.
    std::vector<double> low = line.low;
    std::vector<double> high = line.high;
    for (std::size_t i = 0; i < low.size(); ++i) {
      if (!y_.shows(low[i]) || !y_.shows(high[i])) {
        low[i] = high[i] = std::numeric_limits<double>::quiet_NaN();
      }
    }
    const std::vector<Run> above = runs(line, high);
    std::vector<Run> below = runs(line, low);
    std::string path;
    for (std::size_t i = 0; i < above.size(); ++i) {
      std::reverse(below[i].begin(), below[i].end());
      path += path_of(above[i], 'M') + path_of(below[i], 'L') + "Z";
    }
    out_ += fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"0.22\"/>\n", path, color(line));
  }

  void draw_points(const ChartLine& line) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (!x_.shows(line.x[i]) || !y_.shows(line.y[i])) continue;
      out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n",
                          x_.place(line.x[i]), y_.place(line.y[i]), color(line));
    }
  }

  std::string stroke(const ChartLine& line) {
    return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}", color(line),
                       line.is_thick ? "3.4" : "1.8",
                       line.stroke == Stroke::dashed   ? " stroke-dasharray=\"7 4\""
                       : line.stroke == Stroke::dotted ? " stroke-dasharray=\"2 3\""
                                                       : "");
  }

  void draw_line(const ChartLine& line) {
    if (line.is_points) {
      draw_points(line);
      return;
    }
    std::string path;
    for (const Run& run : runs(line, line.y)) path += path_of(run, 'M');
    out_ += fmt::format("<path d=\"{}\" {}><title>{}</title></path>\n", path, stroke(line),
                        xml_text(line.name));
  }

  void draw_legend() {
    const std::vector<std::string_view> texts = legend_texts(chart_);
    out_ += "<g class=\"legend\">\n";
    for (std::size_t i = 0; i < texts.size(); ++i) {
      LegendRows::Place place = legend_.next(texts[i]);
      place.y += title_.height() + LegendRows::kRowHeight / 2;
      out_ += i < chart_.lines.size() ? swatch(chart_.lines[i], place) : band_swatch(place);
      out_ += fmt::format("<text x=\"{:g}\" y=\"{:g}\">{}</text>\n", place.x + LegendRows::kSwatch,
                          place.y + 5, xml_text(texts[i]));
    }
    out_ += "</g>\n";
  }

  std::string swatch(const ChartLine& line, LegendRows::Place place) {
    if (line.is_points) {
      return fmt::format("<circle cx=\"{:g}\" cy=\"{:g}\" r=\"4\" fill=\"{}\"/>", place.x + 8,
                         place.y, color(line));
    }
    return fmt::format("<line x1=\"{0:g}\" y1=\"{1:g}\" x2=\"{2:g}\" y2=\"{1:g}\" {3}/>", place.x,
                       place.y, place.x + 17, stroke(line));
  }

  static std::string band_swatch(LegendRows::Place place) {
    return fmt::format(
        "<rect x=\"{:g}\" y=\"{:g}\" width=\"17\" height=\"12\" fill=\"{}\" fill-opacity=\"0.3\"/>",
        place.x, place.y - 6, kBandInk);
  }

  const LineChart& chart_;
  TitleLines title_;
  LegendRows legend_;
  double top_;  // top of the plot
  ChartScale x_;
  ChartScale y_;
  Palette palette_;
  std::string out_;
};

}  // namespace

std::string to_svg(const LineChart& chart) {
  return ChartPicture{chart}.draw();
}

}  // namespace holdfast
