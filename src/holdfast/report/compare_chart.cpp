#include "holdfast/report/compare_chart.hpp"

#include "holdfast/report/still_groups.hpp"
#include "holdfast/report/vega_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

namespace holdfast {
namespace {

using vega::number_or_nothing;
using vega::object;
using vega::tooltip;

constexpr double kRowHeight = 17;   // pixels
constexpr double kBandHeight = 11;  // pixels
constexpr double kFarthest = 4;  // distance in tolerances beyond which a dot is drawn at the edge
constexpr double kRoom = 1.15;   // reach of the axis divided by the widest band
constexpr double kNarrowest = 0.01;  // smallest reach of the axis to each side, in per cent
constexpr double kErrors = 2;        // standard errors that a line shows

double finite_or_zero(double value) {
  return std::isfinite(value) ? value : 0;
}

// Returns how far the axis has to reach for this number.
double reach_of(const ComparedNumber& number) {
  const double far = std::abs(number.difference) + kErrors * finite_or_zero(number.error);
  const double allowed = finite_or_zero(number.allowed);
  return kRoom * (allowed > 0 ? std::max(allowed, std::min(far, kFarthest * allowed)) : far);
}

double reach_of(const std::vector<ComparedNumber>& numbers) {
  double reach = kNarrowest;
  for (const ComparedNumber& number : numbers) reach = std::max(reach, reach_of(number));
  return reach;
}

constexpr std::string_view kKinds[] = {"within", "out", "not judged"};

std::string_view kind_of(const ComparedNumber& number) {
  if (number.is_out) return kKinds[1];
  return std::isfinite(number.allowed) ? kKinds[0] : kKinds[2];
}

Value::Array row_of(const ComparedNumber& number) {
  const double allowed = finite_or_zero(number.allowed);
  const double error = kErrors * finite_or_zero(number.error);
  return {number.label,
          number_or_nothing(number.expected),
          number_or_nothing(number.measured),
          number.difference,
          number_or_nothing(number.allowed),
          number_or_nothing(number.error),
          number.verdict,
          -allowed,
          allowed,
          number.difference - error,
          number.difference + error,
          std::string(kind_of(number)),
          number.is_out ? distance_text(number.difference) : ""};
}

}  // namespace

std::string distance_text(double percent) {
  return std::abs(percent) < 9.95 ? fmt::format("{:+.2g} %", percent)
                                  : fmt::format("{:+.0f} %", percent);
}

PageChart compare_chart(const CompareChart& chart) {
  PageChart out;
  out.id = chart.id;
  out.title = chart.title;
  out.caption = chart.caption;
  out.columns = {{"label", "number"},
                 {"expected", "expected"},
                 {"measured", "measured"},
                 {"difference", "difference (%)"},
                 {"allowed", "tolerance (%)"},
                 {"error", "standard error (%)"},
                 {"verdict", "verdict"},
                 {"least", ""},
                 {"most", ""},
                 {"from", ""},
                 {"to", ""},
                 {"kind", ""},
                 {"note", ""}};
  std::vector<std::string> labels;
  for (const ComparedNumber& number : chart.numbers) {
    labels.push_back(number.label);
    out.rows.push_back(row_of(number));
  }
  out.height = kRowHeight * static_cast<double>(labels.size());
  out.row_height = kRowHeight;

  const double reach = reach_of(chart.numbers);
  const Value y = object({{"field", "label"},
                          {"type", "nominal"},
                          {"title", Value()},
                          {"sort", Value::list(labels)},
                          {"axis", object({{"grid", true}})}});
  const auto along = [&](const char* name) {
    return object({{"field", name},
                   {"type", "quantitative"},
                   {"title", "difference from what is expected (%)"},
                   {"axis", object({{"format", "~r"}})},
                   {"scale", object({{"domain", Value::list(std::vector{-reach, reach})},
                                     {"nice", false},
                                     {"clamp", true}})}});
  };
  std::vector<std::string> present;
  for (const std::string_view kind : kKinds) {
    const bool is_there = std::any_of(chart.numbers.begin(), chart.numbers.end(),
                                      [kind](const auto& one) { return kind_of(one) == kind; });
    if (is_there) present.emplace_back(kind);
  }
  const Value kinds = Value::list(std::vector<std::string>(std::begin(kKinds), std::end(kKinds)));
  const Value kind = object({{"field", "kind"},
                             {"type", "nominal"},
                             {"title", ""},
                             {"sort", kinds},
                             {"legend", object({{"values", Value::list(present)}})},
                             {"scale", object({{"domain", kinds}})}});
  const auto grey = object({{"value", "#8d96a0"}});
  Value layers = Value::array();
  const auto add = [&](Value mark, Value encoding) {
    layers.push(object({{"mark", std::move(mark)}, {"encoding", std::move(encoding)}}));
  };
  add(object({{"type", "bar"}, {"height", kBandHeight}, {"opacity", 0.35}, {"aria", false}}),
      object(
          {{"y", y}, {"x", along("least")}, {"x2", object({{"field", "most"}})}, {"color", grey}}));
  add(object({{"type", "rule"}, {"strokeWidth", 2}, {"aria", false}}),
      object({{"y", y}, {"x", along("from")}, {"x2", object({{"field", "to"}})}, {"color", kind}}));
  add(object({{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}}),
      object({{"y", y},
              {"x", along("difference")},
              {"color", kind},
              {"shape", kind},
              {"tooltip", tooltip(out.columns, {"label", "verdict"})}}));
  // The texts are placed towards the middle, where there is room.
  for (const bool is_left : {true, false}) {
    layers.push(object(
        {{"transform", Value(Value::Array{
                           object({{"filter", is_left ? "datum.note && datum.difference < 0"
                                                      : "datum.note && datum.difference >= 0"}})})},
         {"mark", object({{"type", "text"},
                          {"align", is_left ? "left" : "right"},
                          {"dx", is_left ? 9 : -9},
                          {"fontWeight", "bold"},
                          {"fontSize", 12}})},
         {"encoding", object({{"y", y},
                              {"x", along("difference")},
                              {"text", object({{"field", "note"}, {"type", "nominal"}})}})}}));
  }
  out.spec = object({{"layer", std::move(layers)}});
  out.draw = [chart, reach](const ChartPaper& paper) {
    return draw_comparison(chart, reach, paper);
  };
  return out;
}

}  // namespace holdfast
