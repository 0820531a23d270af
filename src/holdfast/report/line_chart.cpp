#include "holdfast/report/line_chart.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/report/palette.hpp"
#include "holdfast/report/time_axis.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast {
namespace {

constexpr double kWidth = 800;
constexpr double kHeight = 480;
constexpr double kLeft = 70;
constexpr double kRight = 20;
constexpr double kTop = 40;
constexpr double kBottom = 56;
constexpr int kTicks = 8;

/// Places the values of one axis on the picture.
class Scale {
 public:
  Scale(const ChartAxis& axis, double low, double high, double from, double to)
      : axis_{axis}, low_{low}, high_{high}, from_{from}, to_{to} {
    if (!(high_ > low_)) high_ = low_ + (low_ != 0 ? std::abs(low_) : 1);
  }

  [[nodiscard]] bool shows(double value) const {
    return std::isfinite(value) && (!axis_.is_logarithmic || value > 0);
  }
  /// @pre shows(value)
  [[nodiscard]] double place(double value) const {
    const double part = axis_.is_logarithmic ? std::log(value / low_) / std::log(high_ / low_)
                                             : (value - low_) / (high_ - low_);
    return from_ + (to_ - from_) * part;
  }
  [[nodiscard]] TimeAxis ticks() const {
    return axis_.is_logarithmic ? decades() : make_axis(low_, high_, axis_.unit, kTicks);
  }

 private:
  /// Powers of ten; of time, units that people read.
  [[nodiscard]] TimeAxis decades() const {
    TimeAxis out;
    if (axis_.unit == "s") {
      for (const double at :
           {1e-3, 1.0, 60.0, 3600.0, 86400.0, 30 * 86400.0, kYear, 10 * kYear, 100 * kYear}) {
        add_tick(at, format_duration(at), out);
      }
      if (out.ticks.size() > 1) return out;
      out.ticks.clear();
    }
    out.unit = axis_.unit;
    const double first = std::floor(std::log10(low_));
    const double last = std::ceil(std::log10(high_));
    const double step = std::max(1.0, std::ceil((last - first) / kTicks));
    for (double power = first; power <= last; power += step) {
      add_tick(std::pow(10, power), fmt::format("{:g}", std::pow(10, power)), out);
    }
    return out;
  }
  void add_tick(double at, std::string text, TimeAxis& out) const {
    if (at >= low_ * (1 - 1e-9) && at <= high_ * (1 + 1e-9))
      out.ticks.push_back({at, std::move(text)});
  }

  const ChartAxis& axis_;
  double low_;
  double high_;
  double from_;
  double to_;
};

struct Extent {
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

class ChartPicture {
 public:
  explicit ChartPicture(const LineChart& chart)
      : chart_{chart},
        x_{chart.x, extent(chart, true).low, extent(chart, true).high, kLeft, kWidth - kRight},
        y_{chart.y, extent(chart, false).low, extent(chart, false).high, kHeight - kBottom, kTop} {
    for (const ChartLine& line : chart.lines) palette_.color(line.name);
  }

  std::string draw() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 "
        "{0:g} {1:g}\" "
        "font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n<title>{2}</title>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        "<text x=\"{3:g}\" y=\"20\" font-weight=\"bold\">{2}</text>\n",
        kWidth, kHeight, xml_text(chart_.title), kLeft);
    draw_axes();
    for (const ChartLine& line : chart_.lines) draw_band(line);
    for (const ChartLine& line : chart_.lines) draw_line(line);
    draw_legend();
    return std::move(out_) + "</svg>\n";
  }

 private:
  static Extent extent(const LineChart& chart, bool is_x) {
    Extent all;
    all.add(is_x ? chart.x.shown : chart.y.shown, is_x ? chart.x : chart.y);
    for (const ChartLine& line : chart.lines) {
      all.add(is_x ? line.x : line.y, is_x ? chart.x : chart.y);
      if (!is_x) all.add(line.low, chart.y);
      if (!is_x) all.add(line.high, chart.y);
    }
    return all;
  }

  void draw_axes() {
    constexpr std::string_view kGrid = "stroke=\"#dddddd\"";
    const TimeAxis across = x_.ticks();
    const double floor = kHeight - kBottom;
    for (const TimeAxis::Tick& tick : across.ticks) {
      const double x = x_.place(tick.at);
      out_ += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:g}\" x2=\"{0:.1f}\" y2=\"{2:g}\" {3}/>", x,
                          kTop, floor, kGrid);
      out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:g}\" text-anchor=\"middle\">{}</text>\n", x,
                          floor + 17, xml_text(tick.text));
    }
    const TimeAxis up = y_.ticks();
    for (const TimeAxis::Tick& tick : up.ticks) {
      const double y = y_.place(tick.at);
      out_ += fmt::format("<line x1=\"{1:g}\" y1=\"{0:.1f}\" x2=\"{2:g}\" y2=\"{0:.1f}\" {3}/>", y,
                          kLeft, kWidth - kRight, kGrid);
      out_ += fmt::format("<text x=\"{:g}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                          kLeft - 8, y + 4, xml_text(tick.text));
    }
    out_ +=
        fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\">{}</text>\n",
                    0.5 * (kLeft + kWidth - kRight), kHeight - 14, titled(chart_.x, across.unit));
    out_ += fmt::format(
        "<text transform=\"translate(16 {:g}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        0.5 * (kTop + floor), titled(chart_.y, up.unit));
  }

  static std::string titled(const ChartAxis& axis, const std::string& unit) {
    return xml_text(unit.empty() ? axis.title : fmt::format("{} ({})", axis.title, unit));
  }

  /// Points of a line that can be shown, steps made into corners.
  [[nodiscard]] std::string path(const ChartLine& line, const std::vector<double>& values) const {
    std::string out;
    bool is_drawing = false;
    double before = 0;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (!x_.shows(line.x[i]) || !y_.shows(values[i])) {
        is_drawing = false;
        continue;
      }
      const double x = x_.place(line.x[i]);
      const double y = y_.place(values[i]);
      if (is_drawing && line.is_step) out += fmt::format("L{:.1f} {:.1f}", x, before);
      out += fmt::format("{}{:.1f} {:.1f}", is_drawing ? 'L' : 'M', x, y);
      is_drawing = true;
      before = y;
    }
    return out;
  }

  void draw_band(const ChartLine& line) {
    if (line.low.empty()) return;
    for (const auto* edge : {&line.low, &line.high}) {
      out_ += fmt::format(
          "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.8\" stroke-dasharray=\"3 "
          "3\"/>\n",
          path(line, *edge), palette_.color(line.name));
    }
  }

  void draw_points(const ChartLine& line) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (!x_.shows(line.x[i]) || !y_.shows(line.y[i])) continue;
      out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n",
                          x_.place(line.x[i]), y_.place(line.y[i]), palette_.color(line.name));
    }
  }

  void draw_line(const ChartLine& line) {
    if (line.is_points) {
      draw_points(line);
      return;
    }
    out_ += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" "
        "stroke-width=\"1.8\"><title>{}</title></path>\n",
        path(line, line.y), palette_.color(line.name), xml_text(line.name));
  }

  void draw_legend() {
    double y = kTop + 14;
    for (const ChartLine& line : chart_.lines) {
      const double x = kWidth - kRight - 180;
      out_ += fmt::format(
          "<line x1=\"{:g}\" y1=\"{:g}\" x2=\"{:g}\" y2=\"{:g}\" stroke=\"{}\" "
          "stroke-width=\"3\"/>",
          x, y - 4, x + 20, y - 4, palette_.color(line.name));
      out_ +=
          fmt::format("<text x=\"{:g}\" y=\"{:g}\">{}</text>\n", x + 26, y, xml_text(line.name));
      y += 18;
    }
  }

  const LineChart& chart_;
  Scale x_;
  Scale y_;
  Palette palette_;
  std::string out_;
};

}  // namespace

std::string to_svg(const LineChart& chart) {
  return ChartPicture{chart}.draw();
}

}  // namespace holdfast
