#include "holdfast/report/vega_values.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace holdfast::vega {
namespace {

constexpr std::size_t kMostInARow = 3;  // small charts side by side

}  // namespace

Value object(std::initializer_list<Value::Member> members) {
  return Value::object(members);
}

Value specification(const PageChart& chart) {
  Value rows = Value::array();
  for (const Value::Array& row : chart.rows) {
    Value shown = Value::object();
    for (std::size_t i = 0; i < chart.columns.size(); ++i) shown.set(chart.columns[i].name, row[i]);
    rows.push(std::move(shown));
  }
  Value out = object({{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"},
                      {"title", chart.title},
                      {"description", chart.caption},
                      {"data", object({{"values", std::move(rows)}})}});
  for (const auto& [name, value] : *chart.spec.members()) out.set(name, value);
  Value* view = out.find("spec");
  (view == nullptr ? out : *view).set("height", chart.height);
  if (chart.facets > 0) out.set("columns", std::uint64_t{std::min(chart.facets, kMostInARow)});
  return out;
}

Value number_or_nothing(double value) {
  return std::isfinite(value) ? Value(value) : Value();
}

Value tooltip(std::span<const DataColumn> columns, std::initializer_list<std::string_view> texts) {
  Value out = Value::array();
  for (const DataColumn& column : columns) {
    if (column.title.empty()) continue;
    const bool is_text = std::find(texts.begin(), texts.end(), column.name) != texts.end();
    Value entry = object({{"field", column.name},
                          {"title", column.title},
                          {"type", is_text ? "nominal" : "quantitative"}});
    if (!is_text) entry.set("format", ".4~r");
    out.push(std::move(entry));
  }
  return out;
}

}  // namespace holdfast::vega
