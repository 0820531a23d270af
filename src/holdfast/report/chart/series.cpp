#include "holdfast/report/chart/series.hpp"

#include "holdfast/base/elementary.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

namespace holdfast {

void Reach::add(double value) {
  if (!std::isfinite(value) || (is_logarithmic_ && !(value > 0))) return;
  low_ = std::min(low_, value);
  high_ = std::max(high_, value);
}

ChartRange Reach::range(double room) const {
  if (!(high_ >= low_))
    return {.low = is_logarithmic_ ? 0.1 : 0, .high = 1, .is_logarithmic = is_logarithmic_};
  if (is_logarithmic_) {
    const double factor = high_ > low_ ? elementary::pow(high_ / low_, room) : 2;
    return {.low = low_ / factor, .high = high_ * factor, .is_logarithmic = true};
  }
  const double more = high_ > low_ ? room * (high_ - low_) : low_ != 0 ? 0.1 * std::abs(low_) : 1;
  return {.low = low_ - more, .high = high_ + more};
}

std::string stroke_svg(std::string_view path, std::string_view color, double width,
                       std::string_view dash) {
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\"{}/>\n", path,
                     color, width,
                     dash.empty() ? std::string() : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

std::string swatch_svg(Swatch swatch, const SeriesStyle& style, double x, double y) {
  std::string out;
  if (swatch != Swatch::symbol)
    out += stroke_svg(fmt::format("M{:g} {:g}h16", x - 8, y), style.color, 2, style.dash);
  return swatch == Swatch::line ? out : out + symbol_svg(style, x, y);
}

std::string line_path(const Along& line, const FrameView& view) {
  std::string out;
  bool is_drawing = false;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    const bool is_shown = view.x().shows(line.x[i]) && view.y().shows(line.y[i]);
    if (is_shown) {
      const double x = view.x().place(line.x[i]);
      const double y = view.y().place(line.y[i]);
      out += !is_drawing    ? fmt::format("M{:.1f} {:.1f}", x, y)
             : line.is_step ? fmt::format("H{:.1f}V{:.1f}", x, y)
                            : fmt::format("L{:.1f} {:.1f}", x, y);
    }
    is_drawing = is_shown;
  }
  return out;
}

std::string band_svg(const Along& low, const std::vector<double>& high, const FrameView& view,
                     std::string_view color) {
  constexpr double kOpacity = 0.2;
  std::string path;
  for (std::size_t begin = 0, end = 0; begin < low.x.size(); begin = end + 1) {
    const auto is_shown = [&](std::size_t i) {
      return view.x().shows(low.x[i]) && view.y().shows(low.y[i]) && view.y().shows(high[i]);
    };
    for (end = begin; end < low.x.size() && is_shown(end);) ++end;
    if (end == begin) continue;
    const auto part = [&](const std::vector<double>& values) {
      return std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                 values.begin() + static_cast<std::ptrdiff_t>(end));
    };
    path += line_path({part(low.x), part(high), low.is_step}, view);
    for (std::size_t i = end; i-- > begin;) {
      const double x = view.x().place(low.x[i]);
      const double y = view.y().place(low.y[i]);
      path += i + 1 == end || !low.is_step ? fmt::format("L{:.1f} {:.1f}", x, y)
                                           : fmt::format("V{:.1f}H{:.1f}", y, x);
    }
    path += "Z";
  }
  if (path.empty()) return path;
  return fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"{:g}\"/>\n", path, color, kOpacity);
}

PageChart data_of(const GroupChart& chart) {
  struct Column {
    DataColumn name;
    std::function<Value(const ChartGroup&)> cell;
  };
  std::vector<Column> columns;
  const auto add_label = [&](const char* name, const ChartDimension& dimension,
                             std::size_t ChartGroup::*at, std::size_t least) {
    if (dimension.labels.size() < least) return;
    columns.push_back({{name, dimension.title}, [&dimension, at](const ChartGroup& group) {
                         return Value(dimension.labels[group.*at]);
                       }});
  };
  add_label("facet", chart.facet, &ChartGroup::facet, 1);
  add_label("x", chart.x, &ChartGroup::x, 2);
  add_label("series", chart.series, &ChartGroup::series, 1);
  const auto add_number = [&](const char* name, const std::string& title, double ChartGroup::*at) {
    const bool is_there =
        std::any_of(chart.groups.begin(), chart.groups.end(),
                    [at](const ChartGroup& group) { return std::isfinite(group.*at); });
    if (!is_there) return;
    columns.push_back({{name, title}, [at](const ChartGroup& group) {
                         return std::isfinite(group.*at) ? Value(group.*at) : Value();
                       }});
  };
  const ChartQuantity& quantity = chart.quantity;
  add_number("center", quantity.center + ", " + quantity.title, &ChartGroup::center);
  add_number("low", "from (" + quantity.band + ")", &ChartGroup::low);
  add_number("high", "to", &ChartGroup::high);
  add_number("p10", "p10", &ChartGroup::p10);
  add_number("p25", "p25", &ChartGroup::p25);
  add_number("median", "median", &ChartGroup::median);
  add_number("p75", "p75", &ChartGroup::p75);
  add_number("p90", "p90", &ChartGroup::p90);
  add_number("count", "cells", &ChartGroup::count);
  PageChart out{.id = chart.id, .title = chart.title, .caption = chart.caption};
  for (const Column& column : columns) out.columns.push_back(column.name);
  for (const ChartGroup& group : chart.groups) {
    Value::Array row;
    for (const Column& column : columns) row.push_back(column.cell(group));
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace holdfast
