#include "holdfast/reproduction/chart.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/reproduction/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace holdfast::reproduction {
namespace {

constexpr auto kStatistics = std::to_array<std::string_view>({"mean", "p10", "p90"});
constexpr auto kScales = std::to_array<std::string_view>({"linear", "logarithmic"});

std::string text_of(const Value& value) {
  return value.string() != nullptr ? *value.string() : fmt::format("{}", value.number());
}

// Returns the filters that choose a value of an axis: the value itself, or each member of an object.
std::vector<Filter> filters_of(const Axis& axis, const Value& value) {
  if (value.members() == nullptr) return {{axis.name, "", text_of(value)}};
  std::vector<Filter> filters;
  for (const auto& [name, member] : *value.members())
    filters.push_back({axis.name, "/" + name, text_of(member)});
  return filters;
}

// Returns a title that distinguishes a value from the others of its axis: "weibull 0.5" for a law, "checkpoint 600s" for a
// number.
std::string title_of(const Axis& axis, const Value& value) {
  if (value.members() == nullptr) return axis.name + " " + text_of(value);
  std::vector<std::string> parts;
  for (const auto& [name, member] : *value.members()) {
    const bool is_common =
        std::all_of(axis.values.begin(), axis.values.end(), [&](const Value& other) {
          const Value* its = other.find(name);
          return its != nullptr && *its == member;
        });
    if (!is_common) parts.push_back(text_of(member));
  }
  return join(parts, " ");
}

/// The places on an axis, their unit and their title.
struct Places {
  std::vector<double> at;
  std::string unit;  ///< "s"; "GB/s" if all values have that unit; empty for plain numbers
  std::string title;
};

// Returns the only member in which the objects of an axis differ; nothing if there is none or if there are several.
std::optional<std::string> varying_member(const Axis& axis) {
  const Value& first = axis.values.front();
  if (first.members() == nullptr) return std::nullopt;
  std::optional<std::string> found;
  for (const auto& [name, member] : *first.members()) {
    const bool is_common =
        std::all_of(axis.values.begin(), axis.values.end(), [&](const Value& other) {
          const Value* its = other.find(name);
          return its != nullptr && *its == member;
        });
    if (is_common) continue;
    if (found) return std::nullopt;
    found = name;
  }
  return found;
}

Result<Places> places_of(const Axis& axis) {
  Places out;
  const auto part = varying_member(axis);
  out.title = part.value_or(axis.name);
  for (const Value& whole : axis.values) {
    const Value* member = part ? whole.find(*part) : &whole;
    const Value value = member != nullptr ? *member : Value();
    double place = 0;
    std::string unit;
    if (value.is_number()) {
      place = value.number();
    } else if (value.string() != nullptr) {
      const std::string& text = *value.string();
      if (auto seconds = parse_quantity(text, Unit::seconds)) {
        place = *seconds;
        unit = "s";
      } else {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), place);
        unit = std::string(trim(std::string_view(end, text.data() + text.size())));
        if (error != std::errc{}) unit.clear();
        if (!parse_quantity(text, Unit::bytes_per_second) && !parse_quantity(text, Unit::bytes))
          unit.clear();
      }
    }
    if ((unit.empty() && !value.is_number()) || (!out.at.empty() && unit != out.unit)) {
      return fail(ErrorCode::bad_value, "/chart/x",
                  fmt::format("{}: found a value that is no number or has another unit, expected "
                              "numbers of one unit on the x axis",
                              axis.name));
    }
    out.unit = std::move(unit);
    out.at.push_back(place);
  }
  return out;
}

// Returns a member of the points as an axis: each of its values once, with numbers in order.
std::optional<Axis> axis_of_points(const Axis& points, const std::string& name) {
  Axis axis{.name = name, .values = {}};
  for (const Value& point : points.values) {
    const Value* value = point.find(name);
    if (value == nullptr) continue;
    if (std::find(axis.values.begin(), axis.values.end(), *value) == axis.values.end()) {
      axis.values.push_back(*value);
    }
  }
  if (axis.values.empty()) return std::nullopt;
  std::stable_sort(axis.values.begin(), axis.values.end(),
                   [](const Value& one, const Value& other) {
                     return one.is_number() && other.is_number() && one.number() < other.number();
                   });
  return axis;
}

Result<Axis> axis_of(const Results& results, const std::string& name, std::string_view where) {
  std::vector<std::string_view> names;
  for (const Axis& axis : results.description().axes) {
    if (axis.name == name) return axis;
    if (axis.name == kPointsAxis) {
      if (auto member = axis_of_points(axis, name)) return std::move(*member);
    }
    names.push_back(axis.name);
  }
  return fail(ErrorCode::unknown_name, std::string(where),
              fmt::format("the campaign has no swept parameter {}; {}", in_quotes(name),
                          suggestion(name, names)));
}

struct Frame {
  std::string title;
  std::vector<Filter> filters;
};

// Returns one frame for each combination of the values of these axes; the last one varies fastest.
Result<std::vector<Frame>> frames_of(const Chart& chart, const Results& results) {
  std::vector<Frame> frames{{"", chart.where}};
  for (const std::string& name : chart.panels) {
    HOLDFAST_TRY(axis, axis_of(results, name, "/chart/panels"));
    std::vector<Frame> finer;
    for (const Frame& frame : frames) {
      for (const Value& value : axis.values) {
        Frame next = frame;
        next.title += (next.title.empty() ? "" : ", ") + title_of(axis, value);
        const auto more = filters_of(axis, value);
        next.filters.insert(next.filters.end(), more.begin(), more.end());
        finer.push_back(std::move(next));
      }
    }
    frames = std::move(finer);
  }
  return frames;
}

// Adds the rows of one curve: three statistics at each place of the x axis.
void add_rows(const Frame& frame, const Axis& x, const std::string& strategy,
              const std::string& metric, Item& item) {
  for (const Value& value : x.values) {
    for (const std::string_view statistic : kStatistics) {
      Row row;
      row.place = "/chart";
      row.filters = frame.filters;
      const auto more = filters_of(x, value);
      row.filters.insert(row.filters.end(), more.begin(), more.end());
      row.strategy = strategy;
      row.metric = metric;
      row.statistic = statistic;
      item.rows.push_back(std::move(row));
    }
  }
}

// Returns the curves of one picture without their points: one per strategy, then one per metric in Chart::beside.
std::vector<Curve> curves_of(const Chart& chart) {
  std::vector<Curve> curves;
  for (const std::string& strategy : chart.strategies) curves.push_back({.strategy = strategy});
  for (const std::string& metric : chart.beside)
    curves.push_back({.strategy = metric, .is_beside = true});
  return curves;
}

Result<Figure> figure_of(const Chart& chart, const Results& results,
                         std::span<const Domain* const> known) {
  HOLDFAST_TRY(x, axis_of(results, chart.x, "/chart/x"));
  HOLDFAST_TRY(places, places_of(x));
  HOLDFAST_TRY(frames, frames_of(chart, results));
  const std::vector<Curve> curves = curves_of(chart);
  Item asked;
  for (const Frame& frame : frames) {
    for (const Curve& curve : curves) {
      if (curve.is_beside) {
        add_rows(frame, x, chart.strategies.front(), curve.strategy, asked);
      } else {
        add_rows(frame, x, curve.strategy, chart.metric, asked);
      }
    }
  }
  HOLDFAST_TRY(measured, measure(asked, results, all_draws(results.description()), known));

  Figure figure{.x_title = std::move(places.title), .x_unit = std::move(places.unit)};
  std::size_t at = 0;
  for (const Frame& frame : frames) {
    Panel panel{.title = frame.title, .curves = curves};
    for (Curve& curve : panel.curves) {
      for (const double place : places.at) {
        const auto mean = measured[at++].value;
        const auto p10 = measured[at++].value;
        const auto p90 = measured[at++].value;
        if (!mean || !p10 || !p90) continue;
        curve.x.push_back(place);
        curve.mean.push_back(*mean);
        curve.p10.push_back(*p10);
        curve.p90.push_back(*p90);
      }
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

std::string unit_of_metric(const Description& description, const std::string& name) {
  for (const StoredMetric& metric : description.metrics) {
    if (metric.name == name) return metric.unit;
  }
  return "";
}

}  // namespace

Result<Chart> read_chart(const Value& table, const std::string& where) {
  Chart chart;
  ObjectReader read(table, where);
  chart.x = read.text("x");
  chart.metric = read.text("metric");
  const auto names = [&read](std::string_view name, std::vector<std::string>& out) {
    read.each_or_none(name, [&out](const Value& value, const std::string& at) -> Status {
      if (value.string() == nullptr) {
        return fail(ErrorCode::bad_value, at,
                    fmt::format("found {}, expected a name", value.described()));
      }
      out.push_back(*value.string());
      return {};
    });
  };
  names("panels", chart.panels);
  names("strategies", chart.strategies);
  names("beside", chart.beside);
  read.with("where", [&chart](const Value& value, const std::string& at) -> Status {
    if (value.members() == nullptr) {
      return fail(ErrorCode::bad_value, at,
                  fmt::format("found {}, expected a table", value.described()));
    }
    for (const auto& [name, wanted] : *value.members())
      chart.where.push_back({name, "", text_of(wanted)});
    return {};
  });
  chart.is_x_logarithmic = read.choice_or("x_scale", kScales, 0) == 1;
  chart.is_y_logarithmic = read.choice_or("y_scale", kScales, 0) == 1;
  if (!chart.beside.empty() && chart.strategies.empty()) {
    read.refuse("beside", "found metrics without 'strategies', expected both");
  }
  HOLDFAST_CHECK(read.finish());
  return chart;
}

Result<Figure> draw(const Item& item, const Results& results,
                    std::span<const Domain* const> known) {
  auto figure = figure_of(*item.chart, results, known);
  if (!figure) return fail(in_file((item.folder / "item.toml").string(), figure.error()));
  figure->y_unit = unit_of_metric(results.description(), item.chart->metric);
  return figure;
}

}  // namespace holdfast::reproduction
