#include "holdfast/report/chart/groups.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/report/chart/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <utility>

namespace holdfast {
namespace {

constexpr double kBoxOpacity = 0.45;
constexpr double kPadding = 0.1;     // padding to each side, as a part of the room of a series
constexpr double kRangeRoom = 0.04;  // room beyond the values, as a part of the axis
constexpr double kLeastBox = 16;     // smallest width of a series of boxes, in pixels
constexpr double kBesideAxis = 70;

using GroupPicture = SeriesPicture<GroupChart, ChartGroup>;

std::string four_digits(double value) {
  return std::isfinite(value) ? to_text(value, 4) : "-";
}

std::string vertical(double x, double from, double to, const SeriesStyle& style, double width) {
  return stroke_svg(fmt::format("M{:.1f} {:.1f}V{:.1f}", x, from, to), style.color, width);
}

std::string rule_svg(const ChartQuantity& quantity, const FrameView& view, const ChartInk& ink) {
  if (!quantity.rule || !view.y().shows(*quantity.rule)) return {};
  return stroke_svg(fmt::format("M{:.1f} {:.1f}h{:.1f}", view.frame().left,
                                view.y().place(*quantity.rule), view.frame().width),
                    ink.soft, 1, "2 3");
}

std::string tip_of(const GroupChart& chart, const ChartGroup& group) {
  std::string tip;
  const auto add_label = [&tip](const ChartDimension& dimension, std::size_t at) {
    if (dimension.labels.size() < 2) return;
    tip += (tip.empty() ? "" : ", ") + dimension.labels[at];
  };
  add_label(chart.facet, group.facet);
  add_label(chart.x, group.x);
  add_label(chart.series, group.series);
  tip += fmt::format("{}{} {}", tip.empty() ? "" : ": ", chart.quantity.center,
                     four_digits(group.center));
  if (std::isfinite(group.low)) {
    tip += fmt::format(", {} {} to {}", chart.quantity.band, four_digits(group.low),
                       four_digits(group.high));
  }
  if (std::isfinite(group.median)) tip += fmt::format(", median {}", four_digits(group.median));
  return tip;
}

// The place and the width of a series within the band of its group.
struct Slot {
  double left = 0;
  double width = 0;
  [[nodiscard]] double middle() const { return left + width / 2; }
};

Slot slot_of(const GroupChart& chart, const FrameView& view, const ChartGroup& group) {
  const auto count = static_cast<double>(std::max<std::size_t>(1, chart.series.labels.size()));
  constexpr double kBetweenGroups = 0.08;  // space to each side, as a part of the band
  const double each = view.band_width() * (1 - 2 * kBetweenGroups) / count;
  const double begin = view.band_left(group.x) + kBetweenGroups * view.band_width() +
                       each * static_cast<double>(group.series);
  return {.left = begin + kPadding * each, .width = each * (1 - 2 * kPadding)};
}

FrameAxis upwards(const GroupChart& chart, std::initializer_list<double ChartGroup::*> members) {
  Reach reach(chart.quantity.is_logarithmic);
  for (const ChartGroup& group : chart.groups) {
    for (const auto member : members) reach.add(group.*member);
  }
  if (chart.quantity.rule) reach.add(*chart.quantity.rule);
  return {.title = chart.quantity.title, .range = reach.range(kRangeRoom)};
}

std::string box_svg(const ChartGroup& group, const ChartScale& y, const Slot& slot,
                    const SeriesStyle& style) {
  std::string out;
  if (y.shows(group.p10) && y.shows(group.p90))
    out += vertical(slot.middle(), y.place(group.p10), y.place(group.p90), style, 1.5);
  if (y.shows(group.p25) && y.shows(group.p75)) {
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
        "fill-opacity=\"{:g}\"/>\n",
        slot.left, y.place(group.p75), slot.width,
        std::max(0.5, y.place(group.p25) - y.place(group.p75)), style.color, kBoxOpacity);
  }
  if (y.shows(group.median)) {
    out += stroke_svg(
        fmt::format("M{:.1f} {:.1f}h{:.1f}", slot.left, y.place(group.median), slot.width),
        style.color, 2.5);
  }
  return out;
}

std::string interval_svg(const ChartGroup& group, const ChartScale& y, const Slot& slot,
                         const SeriesStyle& style) {
  if (!y.shows(group.low) || !y.shows(group.high)) return {};
  return vertical(slot.middle(), y.place(group.low), y.place(group.high), style, 2);
}

// Draws series side by side along an axis of texts, each group with a symbol at its centre. @param spread  draws what lies
// behind the symbol
std::string draw_beside(const GroupChart& chart, const ChartPaper& paper,
                        std::initializer_list<double ChartGroup::*> shown,
                        std::string (*spread)(const ChartGroup&, const ChartScale&, const Slot&,
                                              const SeriesStyle&)) {
  GroupPicture picture(chart, chart.groups, paper, Swatch::symbol);
  FramedChart& framed = picture.framed();
  framed.x = {.title = chart.x.title, .labels = chart.x.labels};
  if (framed.x.labels.empty()) framed.x.labels = {""};
  const double series = static_cast<double>(std::max<std::size_t>(1, chart.series.labels.size()));
  framed.least_width =
      kBesideAxis + kLeastBox * series * static_cast<double>(framed.x.labels.size());
  framed.y = upwards(chart, shown);
  framed.marks = [&](const FrameView& view, std::size_t facet) {
    std::string out = rule_svg(chart.quantity, view, picture.ink());
    for (const auto& rows : picture.rows_of(facet)) {
      std::string marks;
      for (const ChartGroup* group : rows) {
        const SeriesStyle style = picture.style_of(group->series);
        const Slot slot = slot_of(chart, view, *group);
        std::string mark = spread(*group, view.y(), slot, style);
        if (view.y().shows(group->center))
          mark += symbol_svg(style, slot.middle(), view.y().place(group->center));
        if (!mark.empty()) marks += of_row(picture.position_of(group), tip_of(chart, *group), mark);
      }
      if (!rows.empty()) out += of_series(rows.front()->series, marks);
    }
    return out;
  };
  return picture.draw();
}

std::string draw_lines(const GroupChart& chart, const ChartPaper& paper) {
  GroupPicture picture(chart, chart.groups, paper, Swatch::line_with_symbol);
  Reach along(chart.x.is_logarithmic);
  for (const double at : chart.x.numbers) along.add(at);
  picture.framed().x = {.title = chart.x.title, .range = along.range(0.015)};
  picture.framed().y = upwards(chart, {&ChartGroup::low, &ChartGroup::high, &ChartGroup::center});
  picture.framed().marks = [&](const FrameView& view, std::size_t facet) {
    std::string bands = rule_svg(chart.quantity, view, picture.ink());
    std::string lines;
    for (auto rows : picture.rows_of(facet)) {
      if (rows.empty()) continue;
      const std::size_t series = rows.front()->series;
      std::ranges::stable_sort(rows, {}, [](const ChartGroup* group) { return group->x; });
      const SeriesStyle style = picture.style_of(series);
      Along line;
      Along low;
      std::vector<double> high;
      std::string symbols;
      for (const ChartGroup* group : rows) {
        const double at = chart.x.numbers[group->x];
        if (!view.x().shows(at) || !view.y().shows(group->center)) continue;
        line.x.push_back(at);
        line.y.push_back(group->center);
        symbols += of_row(picture.position_of(group), tip_of(chart, *group),
                          symbol_svg(style, view.x().place(at), view.y().place(group->center)));
        if (!view.y().shows(group->low) || !view.y().shows(group->high)) continue;
        low.x.push_back(at);
        low.y.push_back(group->low);
        high.push_back(group->high);
      }
      bands += of_series(series, band_svg(low, high, view, style.color));
      lines += of_series(series,
                         stroke_svg(line_path(line, view), style.color, 2, style.dash) + symbols);
    }
    return bands + lines;
  };
  return picture.draw();
}

PageChart with_drawing(const GroupChart& chart,
                       std::function<std::string(const GroupChart&, const ChartPaper&)> draw) {
  PageChart out = data_of(chart);
  out.draw = [chart, draw = std::move(draw)](const ChartPaper& paper) {
    return draw(chart, paper);
  };
  return out;
}

}  // namespace

PageChart box_chart(const GroupChart& chart) {
  return with_drawing(chart, [](const GroupChart& one, const ChartPaper& paper) {
    return draw_beside(one, paper, {&ChartGroup::p10, &ChartGroup::p90, &ChartGroup::center},
                       box_svg);
  });
}

PageChart point_chart(const GroupChart& chart) {
  return with_drawing(chart, [](const GroupChart& one, const ChartPaper& paper) {
    return draw_beside(one, paper, {&ChartGroup::low, &ChartGroup::high, &ChartGroup::center},
                       interval_svg);
  });
}

PageChart line_chart(const GroupChart& chart) {
  return with_drawing(chart, draw_lines);
}

}  // namespace holdfast
