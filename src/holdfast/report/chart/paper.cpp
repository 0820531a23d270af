#include "holdfast/report/chart/paper.hpp"

#include <fmt/format.h>

#include <iterator>

namespace holdfast {
namespace {

// page.css has the same colours: those of Okabe and Ito, which colour-blind readers can distinguish.
constexpr ChartInk kWhitePaper{.ink = "#1a1c1f",
                               .soft = "#5b6470",
                               .line = "#d5dae1",
                               .grey = "#767d86",
                               .series = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B58900",
                                          "#56B4E9", "#000000", "#8C6D31"}};
constexpr ChartInk kReport{
    .ink = "var(--ink)",
    .soft = "var(--soft)",
    .line = "var(--line)",
    .grey = "var(--grey)",
    .series = {"var(--series-0)", "var(--series-1)", "var(--series-2)", "var(--series-3)",
               "var(--series-4)", "var(--series-5)", "var(--series-6)", "var(--series-7)"}};

constexpr std::string_view kDashes[] = {"", "6 3", "2 2", "8 3 2 3", "1 3"};

// Symbols around the origin, of about the same area.
constexpr std::string_view kShapes[] = {
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",                           // circle
    "M-3.6 -3.6h7.2v7.2h-7.2z",                                      // square
    "M0 -4.8L4.8 3.6H-4.8z",                                         // triangle
    "M0 -5.4L4.4 0L0 5.4L-4.4 0z",                                   // diamond
    "M-1.7 -4.8h3.4v3.1h3.1v3.4h-3.1v3.1h-3.4v-3.1h-3.1v-3.4h3.1z",  // cross
    "M0 4.8L4.8 -3.6H-4.8z",                                         // triangle, downwards
    "M4.8 0L-3.6 4.8V-4.8z",                                         // to the right
    "M-4.8 0L3.6 4.8V-4.8z",                                         // to the left
};

}  // namespace

const ChartInk& ChartPaper::ink() const {
  return is_page ? kReport : kWhitePaper;
}

SeriesStyle::SeriesStyle(const ChartPaper& paper, std::size_t series,
                         std::optional<std::size_t> reference)
    : shape{series % std::size(kShapes)}, dash{kDashes[series % std::size(kDashes)]} {
  const ChartInk& ink = paper.ink();
  const bool is_after = reference && series > *reference;
  color = series == reference ? ink.grey
                              : ink.series[(series - (is_after ? 1 : 0)) % ink.series.size()];
}

std::string symbol_svg(const SeriesStyle& style, double x, double y) {
  const std::string paint =
      style.is_hollow ? fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"", style.color)
                      : fmt::format("fill=\"{}\"", style.color);
  return fmt::format("<path class=\"mark\" d=\"{}\" transform=\"translate({:.1f} {:.1f})\" {}/>\n",
                     kShapes[style.shape], x, y, paint);
}

}  // namespace holdfast
