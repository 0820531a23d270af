#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/report/chart/series.hpp"
#include "holdfast/report/palette.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <vector>

namespace holdfast {
namespace {

constexpr double kHeatCell = 46;  // pixels of a cell with a number in it
constexpr double kHeatRow = 28;
constexpr double kHeatBar = 180;  // width of the scale of colours in pixels
constexpr int kHeatSteps = 45;
// The scale of gains reaches at least this far, and never further: what lies beyond has the colour of its end.
constexpr double kLeastReach = 2;
constexpr double kMostReach = 100;

// Eleven colours of Viridis, and the colours of worse, equal and better.
constexpr std::string_view kSequence[] = {"#440154", "#482475", "#414487", "#355f8d",
                                          "#2a788e", "#21918c", "#22a884", "#44bf70",
                                          "#7ad151", "#bddf26", "#fde725"};
constexpr std::string_view kGains[] = {"#b35806", "#f7f7f7", "#1f5fa8"};

int channel(std::string_view color, std::size_t at) {
  int value = 0;
  std::from_chars(color.data() + 1 + 2 * at, color.data() + 3 + 2 * at, value, 16);
  return value;
}

// Returns a colour between the given ones. @param part  from 0, the first colour, to 1, the last
std::string mixed(std::span<const std::string_view> colors, double part) {
  const double place = std::clamp(part, 0.0, 1.0) * static_cast<double>(colors.size() - 1);
  const std::size_t first = std::min(static_cast<std::size_t>(place), colors.size() - 2);
  const double share = place - static_cast<double>(first);
  std::string out = "#";
  for (std::size_t i = 0; i < 3; ++i) {
    const double value =
        (1 - share) * channel(colors[first], i) + share * channel(colors[first + 1], i);
    out += fmt::format("{:02x}", static_cast<int>(std::lround(value)));
  }
  return out;
}

/// The colours of values, and their number format.
struct HeatScale {
  std::span<const std::string_view> colors;
  double low = 0;
  double high = 1;
  bool is_logarithmic = false;
  int decimals = -1;  ///< less than 0: three digits

  HeatScale(const ChartQuantity& quantity, double smallest, double largest)
      : colors{kSequence}, low{smallest}, high{largest}, is_logarithmic{quantity.is_logarithmic} {
    if (!quantity.rule) return;
    // As far below the rule as above it.
    const double widest = std::max(largest - *quantity.rule, *quantity.rule - smallest);
    const double reach = std::clamp(widest, kLeastReach, kMostReach);
    colors = kGains;
    low = *quantity.rule - reach;
    high = *quantity.rule + reach;
    decimals = widest < 10 ? 2 : widest < 100 ? 1 : 0;
  }

  [[nodiscard]] double part(double value) const {
    if (!(high > low)) return 0.5;
    return is_logarithmic ? elementary::log(value / low) / elementary::log(high / low)
                          : (value - low) / (high - low);
  }
  [[nodiscard]] double value(double part) const {
    return is_logarithmic ? low * elementary::pow(high / low, part) : low + part * (high - low);
  }
  [[nodiscard]] std::string color(double value) const { return mixed(colors, part(value)); }
  [[nodiscard]] std::string text(double value) const {
    if (decimals < 0) return to_text(value, 3);
    std::string out = fmt::format("{:.{}f}", value, decimals);
    if (out.find_first_of("123456789") == std::string::npos && out.starts_with('-'))
      out.erase(0, 1);
    return out;
  }
};

// Returns a bar of the colours, with their values below.
std::string scale_svg(const HeatScale& scale, std::string_view title, const ChartInk& ink) {
  std::string out =
      fmt::format("<text x=\"0\" y=\"11\" fill=\"{}\">{}</text>\n", ink.soft, xml_text(title));
  for (int i = 0; i < kHeatSteps; ++i) {
    out += fmt::format("<rect x=\"{:.1f}\" y=\"17\" width=\"{:.1f}\" height=\"10\" fill=\"{}\"/>",
                       kHeatBar * i / kHeatSteps, kHeatBar / kHeatSteps + 0.5,
                       mixed(scale.colors, (i + 0.5) / kHeatSteps));
  }
  constexpr struct {
    double part;
    const char* anchor;
  } kMarks[] = {{0, "start"}, {0.5, "middle"}, {1, "end"}};
  for (const auto& mark : kMarks) {
    out +=
        fmt::format("<text x=\"{:.1f}\" y=\"40\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n",
                    kHeatBar * mark.part, mark.anchor, ink.ink, to_text(scale.value(mark.part), 3));
  }
  return out;
}

std::string draw_heat(const GroupChart& chart, const ChartPaper& paper) {
  SeriesPicture<GroupChart, ChartGroup> picture(chart, chart.groups, paper, Swatch::none);
  Reach reach(false);
  for (const ChartGroup& group : chart.groups) reach.add(group.center);
  const HeatScale scale(chart.quantity, reach.low(), reach.high());
  FramedChart& framed = picture.framed();
  framed.x = {.title = chart.x.title, .labels = chart.x.labels};
  framed.y = {.title = chart.series.title, .labels = chart.series.labels};
  framed.least_width = 70 + kHeatCell * static_cast<double>(chart.x.labels.size());
  framed.height =
      kHeatRow * static_cast<double>(std::max<std::size_t>(2, chart.series.labels.size()));
  framed.legend_svg = scale_svg(scale, chart.quantity.title, picture.ink());
  framed.legend_height = 52;
  framed.marks = [&](const FrameView& view, std::size_t facet) {
    std::string out;
    for (const auto& rows : picture.rows_of(facet)) {
      for (const ChartGroup* group : rows) {
        if (!std::isfinite(group->center)) continue;
        const std::string color = scale.color(group->center);
        const double x = view.band_left(group->x);
        const double y = view.band_top(group->series);
        out += of_row(
            picture.position_of(group),
            fmt::format("{}, {}: {}", chart.x.labels[group->x], chart.series.labels[group->series],
                        to_text(group->center, 4)),
            fmt::format(
                "<rect class=\"mark\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                "height=\"{:.1f}\" fill=\"{}\"/>"
                "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
                x, y, view.band_width(), view.band_height(), color, x + view.band_width() / 2,
                y + view.band_height() / 2 + 4, ink_on(color), scale.text(group->center)));
      }
    }
    return out;
  };
  return picture.draw();
}

}  // namespace

PageChart heat_chart(const GroupChart& chart) {
  PageChart out = data_of(chart);
  out.draw = [chart](const ChartPaper& paper) { return draw_heat(chart, paper); };
  return out;
}

}  // namespace holdfast
