#include "holdfast/report/group_chart.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/report/still_groups.hpp"
#include "holdfast/report/vega_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace holdfast {
namespace {

constexpr double kBoxWidth = 14;     // pixels that a box needs to be distinguished from the next
constexpr double kAxisWidth = 70;    // pixels of the vertical axis
constexpr double kFacetWidth = 240;  // smallest width of a small chart, in pixels
constexpr double kCellWidth = 46;    // pixels of a cell with a number in it

using Member = Value::Member;
using vega::number_or_nothing;
using vega::object;

Value tooltip(std::span<const DataColumn> columns) {
  return vega::tooltip(columns, {"facet", "x", "series"});
}

Value order_of(const ChartDimension& dimension) {
  return Value::list(dimension.labels);
}

Value quantity_scale(const ChartQuantity& quantity) {
  return quantity.is_logarithmic ? object({{"type", "log"}}) : object({{"zero", false}});
}

// Returns the vertical channel of one statistic; all layers have the same title.
Value vertical(const char* field, const ChartQuantity& quantity) {
  return object({{"field", field},
                 {"type", "quantitative"},
                 {"title", quantity.title},
                 {"scale", quantity_scale(quantity)}});
}

Value horizontal_texts(const ChartDimension& x) {
  return object({{"field", "x"},
                 {"type", "nominal"},
                 {"title", x.title},
                 {"sort", order_of(x)},
                 {"axis", object({{"labelAngle", x.labels.size() > 6 ? -35 : 0}})}});
}

Value horizontal_numbers(const ChartDimension& x) {
  Value scale = object({{"nice", false}});
  if (x.is_logarithmic)
    scale.set("type", "log");
  else
    scale.set("zero", false);
  return object({{"field", "number"},
                 {"type", "quantitative"},
                 {"title", x.title},
                 {"scale", std::move(scale)}});
}

// Returns the channel of series, which differ by colour and also by shape or dash, so that colour is not needed.
Value series_channel(const ChartDimension& series, const std::vector<bool>& is_there) {
  Value shown = Value::array();
  for (std::size_t i = 0; i < series.labels.size(); ++i) {
    if (is_there[i]) shown.push(series.labels[i]);
  }
  return object({{"field", "series"},
                 {"type", "nominal"},
                 {"title", series.title},
                 {"sort", order_of(series)},
                 {"legend", object({{"values", std::move(shown)}})},
                 {"scale", object({{"domain", order_of(series)}})}});
}

// Returns which labels of a dimension have a row.
template <class Rows, class Row>
std::vector<bool> present(const ChartDimension& dimension, const Rows& rows,
                          std::size_t Row::*label) {
  std::vector<bool> out(dimension.labels.size());
  for (const Row& row : rows) {
    if (!out.empty()) out[row.*label] = true;
  }
  return out;
}

std::size_t count_of(const std::vector<bool>& flags) {
  return static_cast<std::size_t>(std::count(flags.begin(), flags.end(), true));
}

Value mark(const char* type, std::initializer_list<Member> members) {
  Value out = object({{"type", type}});
  for (const auto& [name, value] : members) out.set(name, value);
  return out;
}

Value layer(Value mark, std::initializer_list<Member> encoding) {
  return object({{"mark", std::move(mark)}, {"encoding", object(encoding)}});
}

// Returns the channel that places series side by side. The gaps come from this scale, because Vega-Lite 5 and 6 place a mark
// that is narrower than its band relative to the band of the whole group, and not in line with the marks in the middle of its
// own.
Value beside_each_other(const ChartDimension& series) {
  return object({{"field", "series"},
                 {"type", "nominal"},
                 {"sort", order_of(series)},
                 {"scale", object({{"paddingInner", 0.2}, {"paddingOuter", 0.1}})}});
}

// Returns a line across the chart at the value with which others are compared.
Value rule_layer(double at) {
  return object(
      {{"data", object({{"values", Value(Value::Array{object({{"at", at}})})}})},
       {"mark",
        mark("rule",
             {{"strokeDash", Value::list(std::vector{2, 3})}, {"opacity", 0.8}, {"aria", false}})},
       {"encoding", object({{"y", object({{"field", "at"}, {"type", "quantitative"}})}})}});
}

// Returns one view, or one for each facet.
Value facetted(Value view, const ChartDimension& facet) {
  if (facet.labels.empty()) return view;
  Value out = object({{"facet", object({{"field", "facet"},
                                        {"type", "nominal"},
                                        {"title", facet.title},
                                        {"sort", order_of(facet)}})},
                      {"spec", std::move(view)}});
  return out;
}

std::vector<DataColumn> columns_of(const GroupChart& chart, bool with_quantiles) {
  std::vector<DataColumn> columns;
  columns.push_back({"facet", chart.facet.labels.empty() ? "" : chart.facet.title});
  columns.push_back({"x", chart.x.labels.size() > 1 ? chart.x.title : ""});
  columns.push_back({"number", ""});
  columns.push_back({"series", chart.series.title});
  const std::string& title = chart.quantity.title;
  columns.push_back({"center", chart.quantity.center + ", " + title});
  columns.push_back({"low", "from (" + chart.quantity.band + ")"});
  columns.push_back({"high", "to"});
  if (with_quantiles) {
    for (const char* name : {"p10", "p25", "median", "p75", "p90"}) columns.push_back({name, name});
  }
  columns.push_back({"count", "cells"});
  return columns;
}

std::vector<Value::Array> rows_of(const GroupChart& chart, bool with_quantiles) {
  std::vector<Value::Array> rows;
  rows.reserve(chart.groups.size());
  const auto label = [](const ChartDimension& dimension, std::size_t at) {
    return dimension.labels.empty() ? Value("") : Value(dimension.labels[at]);
  };
  for (const ChartGroup& group : chart.groups) {
    Value::Array row{label(chart.facet, group.facet), label(chart.x, group.x),
                     chart.x.numbers.empty() ? Value() : Value(chart.x.numbers[group.x]),
                     label(chart.series, group.series)};
    for (const double value : {group.center, group.low, group.high}) {
      row.push_back(number_or_nothing(value));
    }
    if (with_quantiles) {
      for (const double value : {group.p10, group.p25, group.median, group.p75, group.p90}) {
        row.push_back(number_or_nothing(value));
      }
    }
    row.push_back(number_or_nothing(group.count));
    rows.push_back(std::move(row));
  }
  return rows;
}

PageChart start(const GroupChart& chart, bool with_quantiles) {
  PageChart out;
  out.id = chart.id;
  out.title = chart.title;
  out.caption = chart.caption;
  out.columns = columns_of(chart, with_quantiles);
  out.rows = rows_of(chart, with_quantiles);
  out.facets = count_of(present(chart.facet, chart.groups, &ChartGroup::facet));
  out.reference = chart.reference;
  if (out.facets > 0) {
    out.height = 200;
    out.least_width = kFacetWidth;
  }
  return out;
}

Value series_channel(const GroupChart& chart) {
  return series_channel(chart.series, present(chart.series, chart.groups, &ChartGroup::series));
}

}  // namespace

PageChart box_chart(const GroupChart& chart) {
  PageChart out = start(chart, true);
  const double boxes = static_cast<double>(std::max<std::size_t>(1, chart.x.labels.size()) *
                                           std::max<std::size_t>(1, chart.series.labels.size()));
  out.least_width = std::max(out.least_width, kAxisWidth + kBoxWidth * boxes);
  const ChartQuantity& quantity = chart.quantity;
  const Value color = series_channel(chart);
  Value layers = Value::array();
  if (quantity.rule) layers.push(rule_layer(*quantity.rule));
  const auto beside = [&](Value mark, const char* from, const char* to) {
    Value encoding = object({{"x", horizontal_texts(chart.x)},
                             {"xOffset", beside_each_other(chart.series)},
                             {"y", vertical(from, quantity)},
                             {"color", color},
                             {"tooltip", tooltip(out.columns)}});
    if (to != nullptr) encoding.set("y2", object({{"field", to}}));
    return object({{"mark", std::move(mark)}, {"encoding", std::move(encoding)}});
  };
  layers.push(beside(mark("rule", {{"strokeWidth", 1.5}}), "p10", "p90"));
  layers.push(beside(
      mark("bar", {{"fillOpacity", 0.45}, {"stroke", Value()}, {"width", object({{"band", 1}})}}),
      "p25", "p75"));
  layers.push(beside(mark("tick", {{"thickness", 2.5}, {"width", object({{"band", 1}})}}), "median",
                     nullptr));
  Value center =
      beside(mark("point", {{"filled", true}, {"size", 42}, {"opacity", 1}}), "center", nullptr);
  center.find("encoding")->set("shape", color);
  layers.push(std::move(center));
  out.spec = facetted(object({{"layer", std::move(layers)}}), chart.facet);
  out.draw = [chart](const ChartPaper& paper) { return draw_boxes(chart, paper); };
  return out;
}

PageChart line_chart(const GroupChart& chart) {
  PageChart out = start(chart, true);
  const ChartQuantity& quantity = chart.quantity;
  const Value color = series_channel(chart);
  Value layers = Value::array();
  if (quantity.rule) layers.push(rule_layer(*quantity.rule));
  layers.push(layer(mark("area", {{"opacity", 0.2}}), {{"x", horizontal_numbers(chart.x)},
                                                       {"y", vertical("low", quantity)},
                                                       {"y2", object({{"field", "high"}})},
                                                       {"color", color}}));
  layers.push(layer(mark("line", {{"strokeWidth", 2}}), {{"x", horizontal_numbers(chart.x)},
                                                         {"y", vertical("center", quantity)},
                                                         {"color", color},
                                                         {"strokeDash", color}}));
  layers.push(layer(mark("point", {{"filled", true}, {"size", 60}, {"opacity", 1}}),
                    {{"x", horizontal_numbers(chart.x)},
                     {"y", vertical("center", quantity)},
                     {"color", color},
                     {"shape", color},
                     {"tooltip", tooltip(out.columns)}}));
  out.spec = facetted(object({{"layer", std::move(layers)}}), chart.facet);
  out.draw = [chart](const ChartPaper& paper) { return draw_lines(chart, paper); };
  return out;
}

PageChart point_chart(const GroupChart& chart) {
  PageChart out = start(chart, true);
  const ChartQuantity& quantity = chart.quantity;
  const Value color = series_channel(chart);
  Value layers = Value::array();
  if (quantity.rule) layers.push(rule_layer(*quantity.rule));
  const Value offset = beside_each_other(chart.series);
  layers.push(layer(mark("rule", {{"strokeWidth", 2}}), {{"x", horizontal_texts(chart.x)},
                                                         {"xOffset", offset},
                                                         {"y", vertical("low", quantity)},
                                                         {"y2", object({{"field", "high"}})},
                                                         {"color", color}}));
  layers.push(layer(mark("point", {{"filled", true}, {"size", 70}, {"opacity", 1}}),
                    {{"x", horizontal_texts(chart.x)},
                     {"xOffset", offset},
                     {"y", vertical("center", quantity)},
                     {"color", color},
                     {"shape", color},
                     {"tooltip", tooltip(out.columns)}}));
  out.spec = facetted(object({{"layer", std::move(layers)}}), chart.facet);
  out.draw = [chart](const ChartPaper& paper) { return draw_points(chart, paper); };
  return out;
}

namespace {

struct HeatColors {
  Value scale;
  Value legend;
  std::string format;     // format of the numbers
  std::string is_bright;  // condition for a bright background
};

// Returns colours around 1 that reach equally far to both sides in the logarithm.
HeatColors diverging(const ChartQuantity& quantity, double smallest, double largest) {
  constexpr double kDark = 0.6;  // part of the way to either end from which on colours are dark
  const double far = reach_of_ratios(smallest, largest);
  std::vector<std::string> range{"#b35806", "#f7f7f7", "#1f5fa8"};
  if (!quantity.is_better_above) std::swap(range.front(), range.back());
  return {
      .scale = object({{"type", "log"},
                       {"domain", Value::list(std::vector{1 / far, 1.0, far})},
                       {"range", Value::list(range)}}),
      .legend =
          object({{"values", Value::list(std::vector{1 / far, 1.0, far})}, {"format", ".3~r"}}),
      .format = far < 1.1  ? ".3f"
                : far < 10 ? ".2f"
                           : ".3~r",
      .is_bright = fmt::format("abs(log(datum.center)) < {:.6g}", kDark * elementary::log(far))};
}

HeatColors sequential(bool is_log, double smallest, double largest) {
  const double middle = is_log ? std::sqrt(smallest * largest) : (smallest + largest) / 2;
  Value scale = object({{"scheme", "viridis"}, {"nice", false}});
  if (is_log)
    scale.set("type", "log");
  else
    scale.set("zero", false);
  return {.scale = std::move(scale),
          .legend = object({{"format", ".3~r"}}),
          .format = ".3~r",
          .is_bright = fmt::format("datum.center > {:.17g}", middle)};
}

}  // namespace

PageChart heat_chart(const GroupChart& chart) {
  PageChart out = start(chart, false);
  out.least_width = std::max(out.least_width,
                             kAxisWidth + kCellWidth * static_cast<double>(chart.x.labels.size()));
  out.height = 40 + 28 * static_cast<double>(std::max<std::size_t>(2, chart.series.labels.size()));
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -smallest;
  for (const ChartGroup& group : chart.groups) {
    if (!std::isfinite(group.center)) continue;
    smallest = std::min(smallest, group.center);
    largest = std::max(largest, group.center);
  }
  const HeatColors colors = chart.quantity.rule
                                ? diverging(chart.quantity, smallest, largest)
                                : sequential(chart.quantity.is_logarithmic, smallest, largest);
  const Value down = object({{"field", "series"},
                             {"type", "nominal"},
                             {"title", chart.series.title},
                             {"sort", order_of(chart.series)}});
  Value layers = Value::array();
  layers.push(layer(mark("rect", {}), {{"x", horizontal_texts(chart.x)},
                                       {"y", down},
                                       {"color", object({{"field", "center"},
                                                         {"type", "quantitative"},
                                                         {"title", chart.quantity.title},
                                                         {"scale", colors.scale},
                                                         {"legend", colors.legend}})},
                                       {"tooltip", tooltip(out.columns)}}));
  // The numbers in the cells are white on dark colours and black on bright ones.
  layers.push(layer(
      mark("text", {{"aria", false}, {"tooltip", Value()}}),
      {{"x", horizontal_texts(chart.x)},
       {"y", down},
       {"text", object({{"field", "center"}, {"type", "quantitative"}, {"format", colors.format}})},
       {"color", object({{"condition", object({{"test", colors.is_bright}, {"value", "#000000"}})},
                         {"value", "#ffffff"}})}}));
  out.spec = facetted(object({{"layer", std::move(layers)}}), chart.facet);
  out.draw = [chart](const ChartPaper& paper) { return draw_heat(chart, paper); };
  return out;
}

PageChart curve_chart(const CurveChart& chart) {
  PageChart out;
  out.id = chart.id;
  out.title = chart.title;
  out.caption = chart.caption;
  out.facets = count_of(present(chart.facet, chart.points, &CurvePoint::facet));
  out.reference = chart.reference;
  if (out.facets > 0) {
    out.height = 200;
    out.least_width = kFacetWidth;
  }
  out.columns = {{"facet", chart.facet.labels.empty() ? "" : chart.facet.title},
                 {"series", chart.series.title},
                 {"value", chart.quantity.title},
                 {"fraction", "fraction of the cells at or below"}};
  for (const CurvePoint& point : chart.points) {
    out.rows.push_back(
        {chart.facet.labels.empty() ? Value("") : Value(chart.facet.labels[point.facet]),
         chart.series.labels[point.series], point.value, point.fraction});
  }
  const Value color =
      series_channel(chart.series, present(chart.series, chart.points, &CurvePoint::series));
  const Value value = object({{"field", "value"},
                              {"type", "quantitative"},
                              {"title", chart.quantity.title},
                              {"scale", quantity_scale(chart.quantity)}});
  const Value fraction = object({{"field", "fraction"},
                                 {"type", "quantitative"},
                                 {"title", "fraction of the cells at or below"},
                                 {"scale", object({{"domain", Value::list(std::vector{0, 1})}})},
                                 {"axis", object({{"format", "%"}})}});
  Value layers = Value::array();
  layers.push(layer(mark("line", {{"interpolate", "step-after"}, {"strokeWidth", 2}}),
                    {{"x", value}, {"y", fraction}, {"color", color}, {"strokeDash", color}}));
  // Invisible points for the pointer, because a line as a whole has no value to show.
  layers.push(layer(mark("point", {{"opacity", 0}, {"size", 40}, {"aria", false}}),
                    {{"x", value}, {"y", fraction}, {"tooltip", tooltip(out.columns)}}));
  out.spec = facetted(object({{"layer", std::move(layers)}}), chart.facet);
  out.draw = [chart](const ChartPaper& paper) { return draw_curves(chart, paper); };
  return out;
}

}  // namespace holdfast
