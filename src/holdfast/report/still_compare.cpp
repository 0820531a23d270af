#include "holdfast/base/text.hpp"
#include "holdfast/report/still_chart.hpp"
#include "holdfast/report/still_groups.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

namespace holdfast {
namespace {

constexpr double kCompareRow = 17;   // pixels of a row whose label takes one line
constexpr double kCompareLine = 14;  // pixels of each further line
constexpr double kCompareBand = 11;
constexpr double kCompareErrors = 2;  // standard errors that a line shows
constexpr double kLabelShare =
    0.42;  // largest part of the picture for labels, as in still_chart.cpp
constexpr double kCompareFont = 12;

std::size_t kind_at(const ComparedNumber& number) {
  if (number.is_out) return 1;
  return std::isfinite(number.allowed) ? 0 : 2;
}

// Returns the text of a difference beside its dot, towards the middle, where there is room.
std::string note_svg(const ComparedNumber& number, double x, double y, std::string_view color) {
  const bool is_left = number.difference < 0;
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-weight=\"bold\" fill=\"{}\">{}"
      "</text>\n",
      x + (is_left ? 9 : -9), y + 4, is_left ? "start" : "end", color,
      distance_text(number.difference));
}

}  // namespace

std::string draw_comparison(const CompareChart& chart, double reach, const ChartPaper& paper) {
  constexpr std::string_view kNames[] = {"within", "out", "not judged"};
  StillChart still;
  still.title = chart.title;
  still.caption = chart.caption;
  still.x = {.title = "difference from what is expected (%)",
             .range = {.low = -reach, .high = reach}};
  std::size_t most_lines = 1;
  for (const ComparedNumber& number : chart.numbers) {
    still.y.labels.push_back(number.label);
    most_lines = std::max(
        most_lines, label_lines(number.label, kLabelShare * paper.width, kCompareFont).size());
  }
  still.height = static_cast<double>(chart.numbers.size()) *
                 (kCompareRow + kCompareLine * static_cast<double>(most_lines - 1));
  const auto style_of = [&paper](std::size_t kind) { return SeriesStyle(paper, kind, {}); };
  for (std::size_t kind = 0; kind < std::size(kNames); ++kind) {
    const bool is_there = std::any_of(chart.numbers.begin(), chart.numbers.end(),
                                      [kind](const auto& one) { return kind_at(one) == kind; });
    if (!is_there) continue;
    still.legend.push_back(
        {std::string(kNames[kind]), [style = style_of(kind)](double x, double y) {
           return symbol_svg(style.shape, x, y, style.color, "");
         }});
  }
  still.marks = [&](const StillView& view, std::size_t) {
    std::string out;
    const auto at = [&](double percent) {
      return view.x().place(std::clamp(percent, -reach, reach));
    };
    for (std::size_t i = 0; i < chart.numbers.size(); ++i) {
      const ComparedNumber& number = chart.numbers[i];
      const double y = view.band_top(i) + view.band_height() / 2;
      const SeriesStyle style = style_of(kind_at(number));
      if (std::isfinite(number.allowed) && number.allowed > 0) {
        out += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:g}\" fill=\"{}\" "
            "fill-opacity=\"0.35\"/>\n",
            at(-number.allowed), y - kCompareBand / 2, at(number.allowed) - at(-number.allowed),
            kCompareBand, paper.ink().grey);
      }
      if (std::isfinite(number.error) && number.error > 0) {
        const double error = kCompareErrors * number.error;
        out += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                           at(number.difference - error), y, at(number.difference + error),
                           style.color);
      }
      out += symbol_svg(
          style.shape, at(number.difference), y, style.color,
          fmt::format("{}: expected {}, measured {}, {}", number.label, to_text(number.expected, 4),
                      to_text(number.measured, 4), number.verdict));
      if (number.is_out) out += note_svg(number, at(number.difference), y, paper.ink().ink);
    }
    return out;
  };
  return draw(still, paper);
}

}  // namespace holdfast
