#include "holdfast/report/chart/frame.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/report/svg_text.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace holdfast {
namespace {

constexpr double kChartFont = 12;
constexpr double kLabelLine = 14;      // distance between two lines of a label
constexpr double kLeastRight = 14;     // least space right of the last view
constexpr double kViewGap = 18;        // least space between two views
constexpr double kTick = 5;            // length of a tick
constexpr double kViewWidth = 250;     // smallest width of a small chart
constexpr double kSlant = 40;          // angle of slanted labels, degrees
constexpr double kSlantedWidth = 130;  // width of lines of slanted labels
constexpr double kMostLabel = 0.42;    // largest part of the picture for labels at its side
constexpr double kTickWidth = 60;      // pixels of an axis for one of its ticks
constexpr double kTickHeight = 45;
constexpr double kLegendSwatch = 8;  // distance from the start of an entry to its swatch's middle

double widest_line(const std::vector<std::string>& lines) {
  double width = 0;
  for (const std::string& line : lines) width = std::max(width, text_width(line, kChartFont));
  return width;
}

int ticks_for(double length, double each) {
  return std::clamp(static_cast<int>(length / each), 2, 8);
}

TimeAxis ticks_of(const ChartScale& scale, const FrameAxis& axis, double length, double each) {
  return scale.ticks(axis.unit, ticks_for(length, each));
}

std::string tick_text(const TimeAxis::Tick& tick, const FrameAxis& axis) {
  const std::string number = axis.scale == 1 ? tick.text : to_text(tick.at * axis.scale + 0.0, 6);
  return number + std::string(axis.suffix);
}

/// Labels below the bands of an axis: side by side in lines, or slanted if there is no room.
struct BandLabels {
  std::vector<std::vector<std::string>> lines;
  bool is_slanted = false;
  double height = 0;
  double left = 0;  ///< pixels that the first label needs to the left of the middle of its band

  BandLabels(const std::vector<std::string>& labels, double room) {
    constexpr double kLeast = 9 * 0.62 * kChartFont;  // width of nine letters
    double longest = 0;
    for (const std::string& label : labels)
      longest = std::max(longest, text_width(label, kChartFont));
    is_slanted = room - 6 < std::min(longest, kLeast);
    const double width = is_slanted ? kSlantedWidth : room - 6;
    const double angle = kSlant * elementary::acos(-1.0) / 180;
    for (const std::string& label : labels) {
      lines.push_back(label_lines(label, width, kChartFont));
      const auto count = static_cast<double>(lines.back().size());
      const double length = widest_line(lines.back());
      height = std::max(height, is_slanted ? length * elementary::sin(angle) +
                                                 count * kLabelLine * elementary::cos(angle)
                                           : count * kLabelLine);
    }
    if (is_slanted && !lines.empty()) left = widest_line(lines.front()) * elementary::cos(angle);
  }

  [[nodiscard]] std::string svg(const FrameView& view, const ChartInk& ink) const {
    std::string out;
    const double base = view.frame().top + view.frame().height + kTick;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const double x = view.band_left(i) + view.band_width() / 2;
      out += is_slanted ? fmt::format(
                              "<g transform=\"translate({:.1f} {:.1f}) rotate(-{:g})\" "
                              "text-anchor=\"end\" fill=\"{}\">",
                              x, base + 4, kSlant, ink.ink)
                        : fmt::format(
                              "<g transform=\"translate({:.1f} {:.1f})\" "
                              "text-anchor=\"middle\" fill=\"{}\">",
                              x, base, ink.ink);
      for (std::size_t line = 0; line < lines[i].size(); ++line) {
        out += fmt::format("<text y=\"{:g}\">{}</text>",
                           (is_slanted ? 4 : 11) + kLabelLine * static_cast<double>(line),
                           xml_text(lines[i][line]));
      }
      out += "</g>\n";
    }
    return out;
  }
};

/// The whole picture: it computes all measures and writes the text.
class FramePicture {
 public:
  FramePicture(const FramedChart& chart, const ChartPaper& paper)
      : chart_{chart}, paper_{paper}, ink_{paper.ink()}, height_{chart.height} {
    measure();
  }

  std::string draw() {
    std::string body = legend();
    for (std::size_t i = 0; i < views(); ++i) body += view(i);
    const double height = top_ + static_cast<double>(rows_) * row_height_;
    if (paper_.is_page) {
      return fmt::format(
                 "<svg xmlns=\"http://www.w3.org/2000/svg\"{0} width=\"{1:g}\" height=\"{2:.0f}\" "
                 "viewBox=\"0 0 {1:g} {2:.0f}\" font-family=\"sans-serif\" font-size=\"{3:g}\" "
                 "role=\"img\" aria-label=\"{4}\">\n",
                 width_ > paper_.width ? " class=\"broad\"" : "", width_, height, kChartFont,
                 xml_text(chart_.title)) +
             body + "</svg>\n";
    }
    constexpr double kFileMargin = 8;
    const TitleLines title({.title = chart_.title, .note = chart_.caption}, width_);
    const double width = width_ + 2 * kFileMargin;
    return svg_start(width, std::ceil(title.height() + height + 2 * kFileMargin), 0.5 * width,
                     kChartFont, chart_.title) +
           title.svg(kFileMargin) +
           fmt::format("<g transform=\"translate({0:g} {1:g})\">\n", kFileMargin,
                       title.height() + kFileMargin) +
           body + "</g>\n</svg>\n";
  }

 private:
  [[nodiscard]] std::size_t views() const { return std::max<std::size_t>(1, chart_.facets.size()); }

  void measure() {
    const double least = std::max(chart_.least_width, chart_.facets.empty() ? 0 : kViewWidth);
    width_ = std::max(paper_.width, least);
    measure_left();
    const auto fitting = static_cast<std::size_t>(
        std::max(1.0, (width_ - left_ - kLeastRight + kViewGap) / (least - 50 + kViewGap)));
    columns_ = chart_.facets.empty() ? 1 : std::min(chart_.facets.size(), fitting);
    rows_ = (views() + columns_ - 1) / columns_;
    fit_views();
    if (!chart_.x.labels.empty()) {
      // Slanted labels of the first band may need more room on the left.
      const BandLabels labels = x_labels();
      const double needed = labels.left - view_width_ / (2 * bands()) + 4;
      if (needed > left_) {
        left_ = needed;
        fit_views();
      }
      labels_height_ = x_labels().height;
    } else {
      labels_height_ = kLabelLine;
      make_room_for_ticks();
    }
    for (const std::string& facet : chart_.facets) {
      const auto lines = static_cast<double>(label_lines(facet, view_width_, kChartFont).size());
      heading_height_ = std::max(heading_height_, kLabelLine * lines + 6);
    }
    legend_height_ = legend_rows(nullptr) + chart_.legend_height;
    title_height_ = kLabelLine * static_cast<double>(y_title().size());
    top_ = legend_height_ + (chart_.facets.empty() || chart_.facet_title.empty() ? 0 : kLabelLine) +
           title_height_ + 8;
    row_height_ = heading_height_ + height_ + kTick + labels_height_ + 4 +
                  kLabelLine * static_cast<double>(x_title().size()) + 12;
  }

  // Measures the room for the labels of the vertical axis.
  void measure_left() {
    double labels = 0;
    if (chart_.y.labels.empty()) {
      const FrameView view(chart_.x, chart_.y, {0, 0, 1, height_});
      for (const auto& tick : ticks_of(view.y(), chart_.y, height_, kTickHeight).ticks)
        labels = std::max(labels, text_width(tick_text(tick, chart_.y), kChartFont));
    } else {
      std::size_t most = 1;  // lines of a label, which must fit into its row
      for (const std::string& label : chart_.y.labels) {
        const std::vector<std::string> lines = row_label(label);
        labels = std::max(labels, widest_line(lines));
        most = std::max(most, lines.size());
      }
      const double row = kLabelLine * static_cast<double>(most) + 2;
      height_ = std::max(height_, row * static_cast<double>(chart_.y.labels.size()));
    }
    left_ = labels + kTick + 8;
  }

  // Labels of the first and last ticks may reach beyond their view.
  void make_room_for_ticks() {
    const ChartScale scale(chart_.x.range, {0, view_width_});
    double left = 0;
    for (const auto& tick : ticks_of(scale, chart_.x, view_width_, kTickWidth).ticks) {
      const double half = text_width(tick_text(tick, chart_.x), kChartFont) / 2 + 2;
      left = std::max(left, half - scale.place(tick.at));
      right_ = std::max(right_, scale.place(tick.at) + half - view_width_);
    }
    gap_ = std::max(gap_, left + right_);
    fit_views();
  }

  void fit_views() {
    const auto columns = static_cast<double>(columns_);
    view_width_ = (width_ - left_ - right_ - gap_ * (columns - 1)) / columns;
  }

  [[nodiscard]] double bands() const {
    return static_cast<double>(std::max<std::size_t>(1, chart_.x.labels.size()));
  }
  [[nodiscard]] BandLabels x_labels() const { return {chart_.x.labels, view_width_ / bands()}; }
  [[nodiscard]] std::vector<std::string> x_title() const {
    return title_lines(chart_.x, view_width_, kTickWidth, view_width_);
  }
  [[nodiscard]] std::vector<std::string> y_title() const {
    return title_lines(chart_.y, height_, kTickHeight, width_ - 2 * kTick);
  }
  // Returns the title of an axis with the unit of its ticks.
  [[nodiscard]] static std::vector<std::string> title_lines(const FrameAxis& axis, double length,
                                                            double each, double room) {
    const TimeAxis ticks = ticks_of(ChartScale(axis.range, {0, length}), axis, length, each);
    return wrap_text(
        ticks.unit.empty() ? axis.title : fmt::format("{} ({})", axis.title, ticks.unit), room,
        kChartFont);
  }
  [[nodiscard]] std::vector<std::string> row_label(const std::string& label) const {
    return side_label(label, width_);
  }

  // Returns the height of the legend's rows, and writes them if `out` is not null.
  double legend_rows(std::string* out) const {
    if (chart_.legend.empty()) return 0;
    // All of it can be seen before a broad chart is scrolled.
    LegendRows rows(0, std::min(width_, paper_.width), kChartFont);
    if (!chart_.legend_title.empty()) {
      const LegendRows::Place place = rows.next(chart_.legend_title);
      if (out != nullptr) {
        *out += fmt::format("<text x=\"{:g}\" y=\"{:g}\" fill=\"{}\">{}</text>\n", place.x,
                            place.y + 13, ink_.soft, xml_text(chart_.legend_title));
      }
    }
    for (const FrameLegendEntry& entry : chart_.legend) {
      const LegendRows::Place place = rows.next(entry.text);
      if (out == nullptr) continue;
      const std::string said =
          entry.swatch(place.x + kLegendSwatch, place.y + 9) +
          fmt::format("<text x=\"{:g}\" y=\"{:g}\" fill=\"{}\">{}</text>\n",
                      place.x + LegendRows::kSwatch, place.y + 13, ink_.ink, xml_text(entry.text));
      *out += entry.series ? of_series(*entry.series, said) : said;
    }
    return rows.height() + 4;
  }

  std::string legend() const {
    std::string out = "<g class=\"legend\">\n";
    const double rows = legend_rows(&out);
    out += fmt::format("<g transform=\"translate(0 {:g})\">{}</g></g>\n", rows, chart_.legend_svg);
    double y = legend_height_;
    const auto line = [&](std::string_view text, std::string_view color) {
      y += kLabelLine;
      out += fmt::format("<text x=\"{:g}\" y=\"{:g}\" fill=\"{}\">{}</text>\n", 0.0, y - 2, color,
                         xml_text(text));
    };
    for (const std::string& text : y_title()) line(text, ink_.ink);
    if (!chart_.facets.empty() && !chart_.facet_title.empty()) line(chart_.facet_title, ink_.soft);
    return out;
  }

  std::string view(std::size_t index) const {
    const std::size_t column = index % columns_;
    const double left = left_ + static_cast<double>(column) * (view_width_ + gap_);
    const double top = top_ + static_cast<double>(index / columns_) * row_height_;
    const FrameView place(chart_.x, chart_.y, {left, top + heading_height_, view_width_, height_});
    std::string out;
    if (!chart_.facets.empty()) {
      double y = top;
      for (const std::string& line : label_lines(chart_.facets[index], view_width_, kChartFont)) {
        y += kLabelLine;
        out += fmt::format(
            "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"{}\">{}"
            "</text>\n",
            left + view_width_ / 2, y - 3, ink_.ink, xml_text(line));
      }
    }
    return out + axes(place, column == 0) + chart_.marks(place, index);
  }

  std::string text(double x, double y, std::string_view anchor, std::string_view said) const {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n",
                       x, y, anchor, ink_.ink, xml_text(said));
  }

  std::string line(double x, double y, double across, double down, std::string_view color) const {
    return fmt::format("<path d=\"M{:.1f} {:.1f}l{:.1f} {:.1f}\" stroke=\"{}\"/>\n", x, y, across,
                       down, color);
  }

  std::string axes(const FrameView& view, bool is_first) const {
    const FrameView::Frame& frame = view.frame();
    const double floor = frame.top + frame.height;
    std::string out;
    if (chart_.y.labels.empty()) {
      for (const auto& tick : ticks_of(view.y(), chart_.y, frame.height, kTickHeight).ticks) {
        const double y = view.y().place(tick.at);
        out += line(frame.left, y, frame.width, 0, ink_.line);
        if (is_first) out += text(frame.left - kTick - 2, y + 4, "end", tick_text(tick, chart_.y));
      }
    } else if (is_first) {
      for (std::size_t i = 0; i < chart_.y.labels.size(); ++i) {
        const std::vector<std::string> lines = row_label(chart_.y.labels[i]);
        double y = view.band_top(i) + view.band_height() / 2 -
                   kLabelLine * (static_cast<double>(lines.size()) / 2 - 0.5) + 4;
        for (const std::string& label : lines) {
          out += text(frame.left - kTick - 2, y, "end", label);
          y += kLabelLine;
        }
      }
    }
    if (chart_.x.labels.empty()) {
      double free = 0;
      for (const auto& tick : ticks_of(view.x(), chart_.x, frame.width, kTickWidth).ticks) {
        const double x = view.x().place(tick.at);
        out += line(x, frame.top, 0, frame.height + kTick, ink_.line);
        const double half = text_width(tick_text(tick, chart_.x), kChartFont) / 2;
        if (x - half < free) continue;  // it would lie on the label before
        free = x + half + kTick;
        out += text(x, floor + kTick + 12, "middle", tick_text(tick, chart_.x));
      }
    } else {
      out += x_labels().svg(view, ink_);
    }
    out += line(frame.left, floor, frame.width, 0, ink_.soft);
    double y = floor + kTick + labels_height_ + 4;
    for (const std::string& said : x_title()) {
      y += kLabelLine;
      out += text(frame.left + frame.width / 2, y, "middle", said);
    }
    return out;
  }

  const FramedChart& chart_;
  const ChartPaper& paper_;
  const ChartInk& ink_;
  double width_ = 0;
  double left_ = 0;             // left edge of the first view
  double right_ = kLeastRight;  // space right of the last view
  double gap_ = kViewGap;       // space between two views
  double view_width_ = 0;
  std::size_t columns_ = 1;
  std::size_t rows_ = 1;
  double top_ = 0;  // top of the first row
  double row_height_ = 0;
  double heading_height_ = 0;
  double height_;  // of the area between the axes
  double labels_height_ = 0;
  double legend_height_ = 0;
  double title_height_ = 0;
};

}  // namespace

FrameView::FrameView(const FrameAxis& x, const FrameAxis& y, const Frame& frame)
    : frame_{frame},
      bands_{static_cast<double>(std::max<std::size_t>(1, x.labels.size()))},
      rows_{static_cast<double>(std::max<std::size_t>(1, y.labels.size()))},
      x_{x.range, {frame.left, frame.left + frame.width}},
      y_{y.range, {frame.top + frame.height, frame.top}} {}

double FrameView::band_left(std::size_t band) const {
  return frame_.left + static_cast<double>(band) * band_width();
}

double FrameView::band_top(std::size_t row) const {
  return frame_.top + static_cast<double>(row) * band_height();
}

std::string of_series(std::size_t series, std::string_view marks) {
  return fmt::format("<g data-series=\"{}\">{}</g>\n", series, marks);
}

std::string of_row(std::size_t row, std::string_view tip, std::string_view marks) {
  return fmt::format("<g data-row=\"{}\"><title>{}</title>{}</g>\n", row, xml_text(tip), marks);
}

std::string draw(const FramedChart& chart, const ChartPaper& paper) {
  return FramePicture(chart, paper).draw();
}

std::vector<std::string> side_label(std::string_view text, double width) {
  return label_lines(text, kMostLabel * width, kChartFont);
}

std::vector<std::string> label_lines(std::string_view text, double width, double font_size) {
  constexpr std::string_view kMarks = " ,;:=/_-";
  const auto most = static_cast<std::size_t>(std::max(1.0, width / text_width("0", font_size)));
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    std::size_t end = text.find_first_of(kMarks);
    end = end == std::string_view::npos ? text.size() : end + 1;
    std::string_view part = text.substr(0, end);
    text.remove_prefix(end);
    const bool fits = text_width(lines.back() + std::string(part), font_size) <= width + 1e-9;
    if (!fits && !lines.back().empty()) lines.emplace_back();
    // Cut only between letters: the further bytes of a letter begin with the same two bits.
    while (text_width(part, font_size) > width && part.size() > most) {
      std::size_t cut = most;
      while (cut < part.size() && (static_cast<unsigned char>(part[cut]) & 0xC0U) == 0x80U) ++cut;
      lines.back() = part.substr(0, cut);
      lines.emplace_back();
      part.remove_prefix(cut);
    }
    lines.back() += part;
  }
  for (std::string& line : lines) {
    while (!line.empty() && line.back() == ' ') line.pop_back();
  }
  std::erase(lines, std::string());
  return lines;
}

}  // namespace holdfast
