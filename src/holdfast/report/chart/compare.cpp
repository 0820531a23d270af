#include "holdfast/report/chart/compare.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/report/chart/series.hpp"

#include <fmt/format.h>

#include <iterator>

namespace holdfast {
namespace {

constexpr double kFarthest = 4;  // distance in tolerances beyond which a dot is drawn at the edge
constexpr double kRoom = 1.15;   // reach of the axis divided by the widest band
constexpr double kNarrowest = 0.01;  // smallest reach of the axis to each side, in per cent
constexpr double kErrors = 2;        // standard errors that a line shows
constexpr double kRow = 17;          // pixels of a row whose label takes one line
constexpr double kLine = 14;         // pixels of each further line
constexpr double kBand = 11;         // height of the band of the tolerance

struct NumberKind {
  Judged judged;
  const char* name;
  std::size_t style;  // position of its colour and symbol
};
constexpr NumberKind kKinds[] = {{Judged::within, "within", 0},
                                 {Judged::out, "out", 1},
                                 {Judged::unsure, "too few samples to say", 3},
                                 {Judged::no, "not judged", 2}};

double finite_or_zero(double value) {
  return std::isfinite(value) ? value : 0;
}

// Returns how far the axis has to reach to each side.
double reach_of(const std::vector<ComparedNumber>& numbers) {
  double reach = kNarrowest;
  for (const ComparedNumber& number : numbers) {
    const double far = std::abs(number.difference) + kErrors * finite_or_zero(number.error);
    const double allowed = finite_or_zero(number.allowed);
    reach = std::max(
        reach, kRoom * (allowed > 0 ? std::max(allowed, std::min(far, kFarthest * allowed)) : far));
  }
  return reach;
}

SeriesStyle style_of(const NumberKind& kind, const ChartPaper& paper) {
  SeriesStyle style(paper, kind.style, {});
  style.is_hollow = kind.judged == Judged::unsure || kind.judged == Judged::no;
  return style;
}

std::string number_svg(const ComparedNumber& number, const FrameView& view, double y,
                       const SeriesStyle& style, const ChartInk& ink) {
  const double edge = view.x().range().high;
  const auto at = [&](double percent) { return view.x().place(std::clamp(percent, -edge, edge)); };
  std::string out;
  if (std::isfinite(number.allowed) && number.allowed > 0) {
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:g}\" fill=\"{}\" "
        "fill-opacity=\"0.35\"/>\n",
        at(-number.allowed), y - kBand / 2, at(number.allowed) - at(-number.allowed), kBand,
        ink.grey);
  }
  if (std::isfinite(number.error) && number.error > 0) {
    const double error = kErrors * number.error;
    out += stroke_svg(fmt::format("M{:.1f} {:.1f}H{:.1f}", at(number.difference - error), y,
                                  at(number.difference + error)),
                      style.color, 2);
  }
  out += symbol_svg(style, at(number.difference), y);
  if (number.judged != Judged::out) return out;
  // Its text stands towards the middle, where there is room.
  const bool is_left = number.difference < 0;
  return out + fmt::format(
                   "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-weight=\"bold\" "
                   "fill=\"{}\">{}</text>\n",
                   at(number.difference) + (is_left ? 9 : -9), y + 4, is_left ? "start" : "end",
                   ink.ink, distance_text(number.difference));
}

std::string draw_comparison(const CompareChart& chart, const ChartPaper& paper) {
  const double reach = reach_of(chart.numbers);
  FramedChart framed{.title = chart.title,
                     .caption = chart.caption,
                     .x = {.title = "difference from what is expected (%)",
                           .range = {.low = -reach, .high = reach}},
                     .y = {}};
  std::size_t most_lines = 1;
  for (const ComparedNumber& number : chart.numbers) {
    framed.y.labels.push_back(number.label);
    most_lines = std::max(most_lines, side_label(number.label, paper.width).size());
  }
  framed.height = static_cast<double>(chart.numbers.size()) *
                  (kRow + kLine * static_cast<double>(most_lines - 1));
  framed.marks = [&](const FrameView& view, std::size_t) {
    std::string out;
    for (std::size_t kind = 0; kind < std::size(kKinds); ++kind) {
      std::string marks;
      for (std::size_t i = 0; i < chart.numbers.size(); ++i) {
        const ComparedNumber& number = chart.numbers[i];
        if (number.judged != kKinds[kind].judged) continue;
        const std::string tip =
            fmt::format("{}: expected {}, measured {}, {}", number.label,
                        to_text(number.expected, 4), to_text(number.measured, 4), number.verdict);
        marks += of_row(i, tip,
                        number_svg(number, view, view.band_top(i) + view.band_height() / 2,
                                   style_of(kKinds[kind], paper), paper.ink()));
      }
      if (!marks.empty()) out += of_series(kind, marks);
    }
    return out;
  };
  for (std::size_t kind = 0; kind < std::size(kKinds); ++kind) {
    const bool is_there =
        std::any_of(chart.numbers.begin(), chart.numbers.end(),
                    [&](const auto& one) { return one.judged == kKinds[kind].judged; });
    if (!is_there) continue;
    framed.legend.push_back({kKinds[kind].name,
                             [style = style_of(kKinds[kind], paper)](double x, double y) {
                               return symbol_svg(style, x, y);
                             },
                             kind});
  }
  return draw(framed, paper);
}

}  // namespace

std::string distance_text(double percent) {
  return std::abs(percent) < 9.95 ? fmt::format("{:+.2g} %", percent)
                                  : fmt::format("{:+.0f} %", percent);
}

PageChart compare_chart(const CompareChart& chart) {
  PageChart out{.id = chart.id, .title = chart.title, .caption = chart.caption};
  out.columns = {{"label", "number"},          {"expected", "expected"},
                 {"measured", "measured"},     {"difference", "difference (%)"},
                 {"allowed", "tolerance (%)"}, {"error", "standard error (%)"},
                 {"verdict", "verdict"}};
  for (const ComparedNumber& number : chart.numbers) {
    Value::Array row{number.label};
    for (const double value :
         {number.expected, number.measured, number.difference, number.allowed, number.error}) {
      row.push_back(std::isfinite(value) ? Value(value) : Value());
    }
    row.emplace_back(number.verdict);
    out.rows.push_back(std::move(row));
  }
  out.draw = [chart](const ChartPaper& paper) { return draw_comparison(chart, paper); };
  return out;
}

}  // namespace holdfast
