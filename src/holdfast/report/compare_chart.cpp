#include "holdfast/report/compare_chart.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace holdfast {
namespace {

constexpr double kLabelWidth = 17;  // pixels of a slanted label
constexpr double kAxisWidth = 80;

Value object(std::initializer_list<Value::Member> members) {
  return Value::object(members);
}

Value field(const char* name, const char* type, Value title) {
  return object({{"field", name}, {"type", type}, {"title", std::move(title)}});
}

template <class TextOf>
std::vector<std::string> distinct(const std::vector<ComparedNumber>& numbers, TextOf text_of) {
  std::vector<std::string> out;
  for (const ComparedNumber& number : numbers) {
    const std::string& text = text_of(number);
    if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(text);
  }
  return out;
}

void append_rows(const ComparedNumber& number, std::vector<Value::Array>& rows) {
  for (const auto& [source, value] : {std::pair{"published", number.published},
                                      {"reference", number.reference},
                                      {"measured", number.measured}}) {
    if (!std::isfinite(value)) continue;
    const bool has_error = source == std::string_view("measured") && std::isfinite(number.error);
    rows.push_back({number.panel, number.label, source, value,
                    has_error ? Value(value - 2 * number.error) : Value(),
                    has_error ? Value(value + 2 * number.error) : Value(),
                    has_error ? value - 2 * number.error : value,
                    has_error ? value + 2 * number.error : value, number.verdict,
                    number.is_out && source == std::string_view("measured")});
  }
}

}  // namespace

PageChart compare_chart(const CompareChart& chart) {
  PageChart out;
  out.id = chart.id;
  out.title = chart.title;
  out.caption = chart.caption;
  const std::vector<std::string> panels = distinct(
      chart.numbers, [](const ComparedNumber& n) -> const std::string& { return n.panel; });
  const std::vector<std::string> labels = distinct(
      chart.numbers, [](const ComparedNumber& n) -> const std::string& { return n.label; });
  out.columns = {
      {"panel", panels.size() > 1 ? "what" : ""},
      {"label", "which"},
      {"source", "number"},
      {"value", "value"},
      {"low", "- 2 s.e."},
      {"high", "+ 2 s.e."},
      {"from", ""},  // ends of the line: a scale over nothing but absent numbers has no extent
      {"to", ""},
      {"verdict", "verdict"},
      {"out", ""}};
  for (const ComparedNumber& number : chart.numbers) append_rows(number, out.rows);
  out.facets = panels.size() > 1 ? panels.size() : 0;
  out.least_width = kAxisWidth + kLabelWidth * static_cast<double>(labels.size());
  out.height = 220;

  const Value sources = Value::list(std::vector<std::string>{"published", "reference", "measured"});
  Value source = field("source", "nominal", "");
  source.set("scale", object({{"domain", sources}}));
  source.set("sort", sources);
  Value x = field("label", "nominal", Value());
  x.set("sort", Value::list(labels));
  x.set("axis",
        object({{"labelAngle", labels.size() > 4 ? -40 : 0}, {"grid", true}, {"labelLimit", 170}}));
  const auto vertical = [&](const char* name) {
    Value channel =
        field(name, "quantitative", panels.size() > 1 ? Value("value") : Value(panels.front()));
    channel.set("scale", object({{"zero", false}}));
    return channel;
  };
  Value tips = Value::array();
  for (const DataColumn& column : out.columns) {
    if (column.title.empty()) continue;
    const bool is_number = column.name == "value" || column.name == "low" || column.name == "high";
    Value tip = field(column.name.c_str(), is_number ? "quantitative" : "nominal", column.title);
    if (is_number) tip.set("format", ".5~g");
    tips.push(std::move(tip));
  }
  Value layers = Value::array();
  layers.push(object({{"mark", object({{"type", "rule"}, {"strokeWidth", 2}})},
                      {"encoding", object({{"x", x},
                                           {"y", vertical("from")},
                                           {"y2", object({{"field", "to"}})},
                                           {"color", source}})}}));
  layers.push(object(
      {{"mark", object({{"type", "point"}, {"filled", true}, {"size", 70}, {"opacity", 0.9}})},
       {"encoding", object({{"x", x},
                            {"y", vertical("value")},
                            {"color", source},
                            {"shape", source},
                            {"tooltip", std::move(tips)}})}}));
  const Value out_mark =
      object({{"condition", object({{"test", "datum.out"}, {"value", "OUT"}})}, {"value", ""}});
  layers.push(object(
      {{"mark", object({{"type", "text"}, {"dy", -12}, {"fontWeight", "bold"}, {"fontSize", 11}})},
       {"encoding", object({{"x", x}, {"y", vertical("value")}, {"text", out_mark}})}}));
  Value view = object({{"layer", std::move(layers)}});
  if (out.facets == 0) {
    out.spec = std::move(view);
    return out;
  }
  Value facet = field("panel", "nominal", Value());
  facet.set("sort", Value::list(panels));
  out.spec = object(
      {{"facet", std::move(facet)},
       {"spec", std::move(view)},
       {"resolve", object({{"scale", object({{"x", "independent"}, {"y", "independent"}})}})}});
  return out;
}

}  // namespace holdfast
