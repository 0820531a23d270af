#include "holdfast/report/vega_values.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace holdfast::vega {

Value object(std::initializer_list<Value::Member> members) {
  return Value::object(members);
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
