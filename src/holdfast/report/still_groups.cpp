#include "holdfast/report/still_groups.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/report/still_chart.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr double kBoxOpacity = 0.45;
constexpr double kBandOpacity = 0.2;
constexpr double kPadding = 0.1;     // padding to each side, as a part of the room of a series
constexpr double kRangeRoom = 0.04;  // room beyond the values, as a part of the axis
constexpr double kLeastBox = 16;     // smallest width of a series of boxes, in pixels
constexpr double kBesideAxis = 70;

/// The range of the values that an axis has to show.
class Reach {
 public:
  explicit Reach(bool is_logarithmic) : is_logarithmic_{is_logarithmic} {}

  void add(double value) {
    if (!std::isfinite(value) || (is_logarithmic_ && !(value > 0))) return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  /// Returns the range with room on both sides.
  [[nodiscard]] ChartRange range(double room) const {
    if (!(high_ >= low_))
      return {.low = is_logarithmic_ ? 0.1 : 0, .high = 1, .is_logarithmic = is_logarithmic_};
    if (is_logarithmic_) {
      const double factor = high_ > low_ ? elementary::pow(high_ / low_, room) : 2;
      return {.low = low_ / factor, .high = high_ * factor, .is_logarithmic = true};
    }
    const double more = high_ > low_ ? room * (high_ - low_) : low_ != 0 ? 0.1 * std::abs(low_) : 1;
    return {.low = low_ - more, .high = high_ + more};
  }

 private:
  bool is_logarithmic_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

std::string four_digits(double value) {
  return std::isfinite(value) ? to_text(value, 4) : "-";
}

std::string segment(double x1, double y1, double x2, double y2, std::string_view color,
                    double width, std::string_view dash = "") {
  return fmt::format(
      "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"{:g}\"{}/>\n", x1, y1,
      x2, y2, color, width,
      dash.empty() ? std::string() : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

// Returns the positions of the labels that have a row.
template <class Rows, class Row>
std::vector<std::size_t> present_positions(const ChartDimension& dimension, const Rows& rows,
                                           std::size_t Row::*label) {
  std::vector<bool> is_there(dimension.labels.size());
  for (const Row& row : rows) {
    if (!is_there.empty()) is_there[row.*label] = true;
  }
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < is_there.size(); ++i) {
    if (is_there[i]) out.push_back(i);
  }
  return out;
}

std::vector<std::string> labels_at(const ChartDimension& dimension,
                                   const std::vector<std::size_t>& at) {
  std::vector<std::string> out;
  for (const std::size_t i : at) out.push_back(dimension.labels[i]);
  return out;
}

/// The common parts of all charts with series: a frame, a legend, and the groups of one view.
template <class Chart, class Row>
class SeriesPicture {
 public:
  enum class Swatch { symbol, line, line_with_symbol };

  SeriesPicture(const Chart& chart, const std::vector<Row>& rows, const ChartPaper& paper,
                Swatch swatch)
      : chart_{chart},
        rows_{rows},
        paper_{paper},
        facets_{present_positions(chart.facet, rows, &Row::facet)} {
    still_.title = chart.title;
    still_.caption = chart.caption;
    still_.legend_title = chart.series.title;
    still_.facet_title = chart.facet.title;
    still_.facets = labels_at(chart.facet, facets_);
    if (!still_.facets.empty()) still_.height = 200;
    for (const std::size_t series : present_positions(chart.series, rows, &Row::series)) {
      still_.legend.push_back(
          {chart.series.labels[series], [style = style_of(series), swatch](double x, double y) {
             std::string out;
             if (swatch != Swatch::symbol)
               out += segment(x - 8, y, x + 8, y, style.color, 2, style.dash);
             if (swatch != Swatch::line) out += symbol_svg(style.shape, x, y, style.color, "");
             return out;
           }});
    }
  }

  StillChart& still() { return still_; }
  [[nodiscard]] const ChartPaper& paper() const { return paper_; }

  [[nodiscard]] SeriesStyle style_of(std::size_t series) const {
    return {paper_, series, chart_.reference};
  }
  /// Returns the rows of a view by series, in their order.
  [[nodiscard]] std::vector<std::vector<const Row*>> rows_of(std::size_t view) const {
    std::vector<std::vector<const Row*>> out(std::max<std::size_t>(1, chart_.series.labels.size()));
    for (const Row& row : rows_) {
      if (facets_.empty() || row.facet == facets_[view]) out[row.series].push_back(&row);
    }
    return out;
  }

 private:
  const Chart& chart_;
  const std::vector<Row>& rows_;
  const ChartPaper& paper_;
  std::vector<std::size_t> facets_;
  StillChart still_;
};

using GroupPicture = SeriesPicture<GroupChart, ChartGroup>;

std::string rule_svg(const ChartQuantity& quantity, const StillView& view, const ChartInk& ink) {
  if (!quantity.rule || !view.y().shows(*quantity.rule)) return {};
  const double y = view.y().place(*quantity.rule);
  return segment(view.frame().left, y, view.frame().left + view.frame().width, y, ink.soft, 1,
                 "2 3");
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

Slot slot_of(const GroupChart& chart, const StillView& view, const ChartGroup& group) {
  const auto count = static_cast<double>(std::max<std::size_t>(1, chart.series.labels.size()));
  constexpr double kBetweenGroups = 0.08;  // space to each side, as a part of the band
  const double each = view.band_width() * (1 - 2 * kBetweenGroups) / count;
  const double begin = view.band_left(group.x) + kBetweenGroups * view.band_width() +
                       each * static_cast<double>(group.series);
  return {.left = begin + kPadding * each, .width = each * (1 - 2 * kPadding)};
}

ChartRange range_of(const GroupChart& chart, std::initializer_list<double ChartGroup::*> members) {
  Reach reach(chart.quantity.is_logarithmic);
  for (const ChartGroup& group : chart.groups) {
    for (const auto member : members) reach.add(group.*member);
  }
  if (chart.quantity.rule) reach.add(*chart.quantity.rule);
  return reach.range(kRangeRoom);
}

// Places series side by side along an axis of texts.
void stand_beside(const GroupChart& chart, StillChart& still) {
  still.x = {.title = chart.x.title, .labels = chart.x.labels};
  if (still.x.labels.empty()) still.x.labels = {""};
  const double series = static_cast<double>(std::max<std::size_t>(1, chart.series.labels.size()));
  still.least_width = kBesideAxis + kLeastBox * series * static_cast<double>(still.x.labels.size());
}

}  // namespace

std::string draw_boxes(const GroupChart& chart, const ChartPaper& paper) {
  GroupPicture picture(chart, chart.groups, paper, GroupPicture::Swatch::symbol);
  StillChart& still = picture.still();
  stand_beside(chart, still);
  still.y = {.title = chart.quantity.title,
             .range = range_of(chart, {&ChartGroup::p10, &ChartGroup::p90, &ChartGroup::center})};
  still.marks = [&](const StillView& view, std::size_t facet) {
    std::string out = rule_svg(chart.quantity, view, paper.ink());
    for (const auto& rows : picture.rows_of(facet)) {
      for (const ChartGroup* group : rows) {
        const SeriesStyle style = picture.style_of(group->series);
        const Slot slot = slot_of(chart, view, *group);
        const ChartScale& y = view.y();
        if (y.shows(group->p10) && y.shows(group->p90)) {
          out += segment(slot.middle(), y.place(group->p10), slot.middle(), y.place(group->p90),
                         style.color, 1.5);
        }
        if (y.shows(group->p25) && y.shows(group->p75)) {
          out += fmt::format(
              "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
              "fill-opacity=\"{:g}\"/>\n",
              slot.left, y.place(group->p75), slot.width,
              std::max(0.5, y.place(group->p25) - y.place(group->p75)), style.color, kBoxOpacity);
        }
        if (y.shows(group->median)) {
          out += segment(slot.left, y.place(group->median), slot.left + slot.width,
                         y.place(group->median), style.color, 2.5);
        }
        if (y.shows(group->center)) {
          out += symbol_svg(style.shape, slot.middle(), y.place(group->center), style.color,
                            tip_of(chart, *group));
        }
      }
    }
    return out;
  };
  return draw(still, paper);
}

std::string draw_points(const GroupChart& chart, const ChartPaper& paper) {
  GroupPicture picture(chart, chart.groups, paper, GroupPicture::Swatch::symbol);
  StillChart& still = picture.still();
  stand_beside(chart, still);
  still.y = {.title = chart.quantity.title,
             .range = range_of(chart, {&ChartGroup::low, &ChartGroup::high, &ChartGroup::center})};
  still.marks = [&](const StillView& view, std::size_t facet) {
    std::string out = rule_svg(chart.quantity, view, paper.ink());
    for (const auto& rows : picture.rows_of(facet)) {
      for (const ChartGroup* group : rows) {
        const SeriesStyle style = picture.style_of(group->series);
        const double x = slot_of(chart, view, *group).middle();
        const ChartScale& y = view.y();
        if (y.shows(group->low) && y.shows(group->high))
          out += segment(x, y.place(group->low), x, y.place(group->high), style.color, 2);
        if (y.shows(group->center)) {
          out += symbol_svg(style.shape, x, y.place(group->center), style.color,
                            tip_of(chart, *group));
        }
      }
    }
    return out;
  };
  return draw(still, paper);
}

std::string draw_lines(const GroupChart& chart, const ChartPaper& paper) {
  GroupPicture picture(chart, chart.groups, paper, GroupPicture::Swatch::line_with_symbol);
  StillChart& still = picture.still();
  Reach along(chart.x.is_logarithmic);
  for (const double at : chart.x.numbers) along.add(at);
  still.x = {.title = chart.x.title, .range = along.range(0.015)};
  still.y = {.title = chart.quantity.title,
             .range = range_of(chart, {&ChartGroup::low, &ChartGroup::high, &ChartGroup::center})};
  still.marks = [&](const StillView& view, std::size_t facet) {
    std::string bands = rule_svg(chart.quantity, view, paper.ink());
    std::string lines;
    std::string symbols;
    for (auto rows : picture.rows_of(facet)) {
      if (rows.empty()) continue;
      std::sort(rows.begin(), rows.end(),
                [](const ChartGroup* a, const ChartGroup* b) { return a->x < b->x; });
      const SeriesStyle style = picture.style_of(rows.front()->series);
      std::string path;
      std::string above;
      std::string below;
      for (const ChartGroup* group : rows) {
        const double at = chart.x.numbers[group->x];
        if (!view.x().shows(at) || !view.y().shows(group->center)) continue;
        const double x = view.x().place(at);
        const double y = view.y().place(group->center);
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
        symbols += symbol_svg(style.shape, x, y, style.color, tip_of(chart, *group));
        if (!view.y().shows(group->low) || !view.y().shows(group->high)) continue;
        above += fmt::format("{}{:.1f} {:.1f}", above.empty() ? "M" : "L", x,
                             view.y().place(group->high));
        below = fmt::format("L{:.1f} {:.1f}", x, view.y().place(group->low)) + below;
      }
      if (!above.empty()) {
        bands += fmt::format("<path d=\"{}{}Z\" fill=\"{}\" fill-opacity=\"{:g}\"/>\n", above,
                             below, style.color, kBandOpacity);
      }
      if (path.empty()) continue;
      lines += fmt::format(
          "<path class=\"line\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
          path, style.color,
          style.dash.empty() ? std::string() : fmt::format(" stroke-dasharray=\"{}\"", style.dash));
    }
    return bands + lines + symbols;
  };
  return draw(still, paper);
}

std::string draw_curves(const CurveChart& chart, const ChartPaper& paper) {
  using Picture = SeriesPicture<CurveChart, CurvePoint>;
  Picture picture(chart, chart.points, paper, Picture::Swatch::line);
  StillChart& still = picture.still();
  Reach reach(chart.quantity.is_logarithmic);
  for (const CurvePoint& point : chart.points) reach.add(point.value);
  still.x = {.title = chart.quantity.title, .range = reach.range(0.015)};
  still.y = {.title = "fraction of the cells at or below", .scale = 100, .suffix = " %"};
  still.marks = [&](const StillView& view, std::size_t facet) {
    std::string out;
    for (const auto& rows : picture.rows_of(facet)) {
      std::string path;
      for (const CurvePoint* point : rows) {
        if (!view.x().shows(point->value)) continue;
        const double x = view.x().place(point->value);
        const double y = view.y().place(point->fraction);
        path += path.empty() ? fmt::format("M{:.1f} {:.1f}", x, y)
                             : fmt::format("H{:.1f}V{:.1f}", x, y);
      }
      if (path.empty()) continue;
      const SeriesStyle style = picture.style_of(rows.front()->series);
      out += fmt::format(
          "<path class=\"line\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}>"
          "<title>{}</title></path>\n",
          path, style.color,
          style.dash.empty() ? std::string() : fmt::format(" stroke-dasharray=\"{}\"", style.dash),
          xml_text(chart.series.labels[rows.front()->series]));
    }
    return out;
  };
  return draw(still, paper);
}

}  // namespace holdfast
