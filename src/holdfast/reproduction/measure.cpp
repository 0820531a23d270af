#include "holdfast/reproduction/measure.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

namespace holdfast::reproduction {
namespace {

template <class Items, class NameOf>
Result<std::size_t> position(const Items& items, NameOf name_of, const std::string& name,
                             std::string_view what) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < items.size(); ++i) {
    names.push_back(name_of(items[i]));
    if (names.back() == name) return i;
  }
  return fail(
      ErrorCode::unknown_name, "",
      fmt::format("the campaign has no {} {}; {}", what, in_quotes(name), suggestion(name, names)));
}

// Returns true if a value equals a text: "100d", "8640000" and 8640000 are equal, and a flag equals "true" or "false".
bool says(const Value& value, const std::string& text) {
  if (const bool* flag = value.boolean()) return text == (*flag ? "true" : "false");
  const std::string* own = value.string();
  if (own != nullptr && *own == text) return true;
  for (const Unit unit :
       {Unit::none, Unit::seconds, Unit::bytes, Unit::bytes_per_second, Unit::per_second}) {
    const auto wanted = parse_quantity(text, unit);
    if (!wanted) continue;
    if (value.is_number() && value.number() == *wanted) return true;
    if (own == nullptr) continue;
    const auto given = parse_quantity(*own, unit);
    if (given && *given == *wanted) return true;
  }
  return false;
}

// A row with positions in place of names, and for each axis the values that it uses.
struct Reading {
  std::size_t row = 0;
  Statistic statistic;
  std::size_t metric = 0;
  std::size_t strategy = 0;
  std::optional<std::size_t> over;
  std::vector<std::vector<bool>> wanted;                      // per axis, per value; empty: all
  std::vector<std::pair<std::size_t, Condition>> conditions;  // with positions of metrics
  Sample sample;
  std::uint64_t most = 1;  // draws of the campaign, where a document does not fix what happens

  [[nodiscard]] bool matches(const std::vector<std::size_t>& place) const {
    for (std::size_t axis = 0; axis < wanted.size(); ++axis) {
      if (!wanted[axis].empty() && !wanted[axis][place[axis]]) return false;
    }
    return true;
  }
};

// Returns the name of a strategy in the results; a strategy that the domain does not know is unchanged.
std::string canonical(const std::string& text, const Domain* domain) {
  if (domain == nullptr) return text;
  const auto spec = parse_strategy(text, domain->strategies);
  return spec ? spec->text : text;
}

// Resolves a filter. If a campaign sweeps over a list of points (`points = [{processors = 1000}, ...]`), filters may name their
// members as if these were swept themselves.
Filter resolved(const Filter& filter, const Description& description) {
  const auto has_axis = [&description](std::string_view name) {
    return std::any_of(description.axes.begin(), description.axes.end(),
                       [name](const Axis& axis) { return axis.name == name; });
  };
  if (has_axis(filter.axis) || !has_axis(kPointsAxis)) return filter;
  return {std::string(kPointsAxis), "/" + filter.axis + filter.pointer, filter.text};
}

Status add_filter(Reading& reading, const Filter& asked, const Description& description) {
  const Filter filter = resolved(asked, description);
  HOLDFAST_TRY(axis, position(
                         description.axes, [](const Axis& a) { return std::string_view(a.name); },
                         filter.axis, "swept parameter"));
  const std::vector<Value>& values = description.axes[axis].values;
  std::vector<bool> wanted(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Value* part = filter.pointer.empty() ? &values[i] : values[i].at(filter.pointer);
    const bool before = reading.wanted[axis].empty() || reading.wanted[axis][i];
    wanted[i] = before && part != nullptr && says(*part, filter.text);
  }
  if (std::none_of(wanted.begin(), wanted.end(), [](bool one) { return one; })) {
    return fail(ErrorCode::bad_value, "",
                fmt::format("{}{}: found {}, which no point of the campaign has", filter.axis,
                            filter.pointer, in_quotes(filter.text)));
  }
  reading.wanted[axis] = std::move(wanted);
  return {};
}

Result<Reading> make_reading(const Row& row, std::size_t index, const Description& description,
                             const Domain* domain) {
  const auto strategy_name = [](const std::string& name) { return std::string_view(name); };
  HOLDFAST_TRY(statistic, Statistic::parse(row.statistic));
  HOLDFAST_TRY(metric, position(
                           description.metrics,
                           [](const StoredMetric& m) { return std::string_view(m.name); },
                           row.metric, "metric"));
  HOLDFAST_TRY(strategy, position(description.strategies, strategy_name,
                                  canonical(row.strategy, domain), "strategy"));
  Reading reading{index, statistic, metric, strategy, std::nullopt, {}, {}, {}, 1};
  for (const Condition& condition : row.conditions) {
    HOLDFAST_TRY(where, position(
                            description.metrics,
                            [](const StoredMetric& m) { return std::string_view(m.name); },
                            condition.metric, "metric"));
    reading.conditions.emplace_back(where, condition);
  }
  if (!row.over.empty()) {
    HOLDFAST_TRY(over, position(description.strategies, strategy_name, canonical(row.over, domain),
                                "strategy"));
    reading.over = over;
  }
  if (statistic.needs_pairs() && !reading.over) {
    return fail(ErrorCode::bad_value, "",
                fmt::format("{} is about pairs: found no strategy in the column `over`",
                            in_quotes(row.statistic)));
  }
  reading.wanted.resize(description.axes.size());
  for (const Filter& filter : row.filters) HOLDFAST_CHECK(add_filter(reading, filter, description));
  return reading;
}

// Returns the positions of the axes' values at a point of the full product; the first axis varies slowest.
std::vector<std::size_t> place_of(std::size_t point, const std::vector<Axis>& axes) {
  std::vector<std::size_t> place(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    place[i] = point % axes[i].values.size();
    point /= axes[i].values.size();
  }
  return place;
}

// Returns true if the strategy's run meets the conditions of the row.
bool meets(const Reading& reading, const PointCells& cells, std::size_t draw) {
  return std::all_of(reading.conditions.begin(), reading.conditions.end(), [&](const auto& one) {
    const auto& [metric, condition] = one;
    const auto value = cells.value(draw, reading.strategy, metric);
    return value && (condition.below ? *value < condition.bound : *value >= condition.bound);
  });
}

/// Which of a point's two numbers of a draw is counted: the scenario, or the instance where each has one scenario.
struct Axes {
  bool is_by_scenario = false;
  std::uint64_t draws = 1;
};

Axes axes_of(const PointCells& cells) {
  const bool is_by_scenario = cells.scenarios() > 1;
  return {is_by_scenario, is_by_scenario ? cells.scenarios() : cells.instances()};
}

void add_cells(Reading& reading, const PointCells& cells, std::uint64_t draws) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const Axes axes = axes_of(cells);
  reading.most = std::max(reading.most, axes.draws);
  for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
    const std::uint64_t instance = draw / cells.scenarios();
    const std::uint64_t scenario = draw % cells.scenarios();
    const std::uint64_t counted = axes.is_by_scenario ? scenario : instance;
    if (counted >= draws) continue;
    const auto cell = cells.cell(draw, reading.strategy);
    if (!cell || !meets(reading, cells, draw)) continue;
    Sample::Entry entry;
    entry.value = cells.value(draw, reading.strategy, reading.metric).value_or(kNone);
    entry.over =
        reading.over ? cells.value(draw, *reading.over, reading.metric).value_or(kNone) : kNone;
    entry.completed = cell->completed;
    entry.group = static_cast<std::uint32_t>(cells.instances() > 1 ? instance : scenario);
    entry.unit = static_cast<std::uint32_t>(cells.position() * cells.instances() + instance);
    entry.instance = static_cast<std::uint32_t>(axes.is_by_scenario ? instance : 0);
    entry.draw = static_cast<std::uint32_t>(counted);
    reading.sample.entries.push_back(entry);
  }
}

Result<std::vector<Reading>> make_readings(const Item& item, const Description& description,
                                           std::span<const Domain* const> known) {
  const auto domain = find_domain(description.domain, known);
  std::vector<Reading> readings;
  for (std::size_t i = 0; i < item.rows.size(); ++i) {
    if (!item.rows[i].command.empty()) continue;
    auto reading = make_reading(item.rows[i], i, description, domain ? *domain : nullptr);
    if (!reading) return fail(reading.error().code, item.rows[i].place, reading.error().message);
    readings.push_back(std::move(*reading));
  }
  return readings;
}

Measured measured_of(const Reading& reading, std::uint64_t draws) {
  Measured measured = reading.statistic.measure(reading.sample);
  measured.draws = std::min(draws, reading.most);
  if (measured.draws == reading.most) return measured;
  measured.missing = 1 - static_cast<double>(measured.draws) / static_cast<double>(reading.most);
  measured.parts =
      reading.statistic.parts(reading.sample, static_cast<std::uint32_t>(measured.draws));
  return measured;
}

}  // namespace

Draws all_draws(const Description& campaign) {
  return {.all = campaign.scenarios > 1 ? campaign.scenarios : campaign.instances};
}

Result<std::vector<std::uint64_t>> needed_draws(const Item& item, const Description& description,
                                                const Draws& draws,
                                                std::span<const Domain* const> known) {
  HOLDFAST_TRY(readings, make_readings(item, description, known));
  std::size_t positions = 1;
  for (const Axis& axis : description.axes) positions *= axis.values.size();
  const std::size_t strategies = description.strategies.size();
  std::vector<std::uint64_t> needed(positions * strategies);
  for (std::size_t position = 0; position < positions; ++position) {
    const auto place = place_of(position, description.axes);
    for (const Reading& reading : readings) {
      if (!reading.matches(place)) continue;
      for (const std::size_t strategy :
           {reading.strategy, reading.over.value_or(reading.strategy)}) {
        std::uint64_t& most = needed[position * strategies + strategy];
        most = std::max(most, draws.of(reading.row));
      }
    }
  }
  return needed;
}

Result<std::vector<Measured>> measure(const Item& item, const Results& results, const Draws& draws,
                                      std::span<const Domain* const> known) {
  const Description& description = results.description();
  HOLDFAST_TRY(readings, make_readings(item, description, known));
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
    const auto place = place_of(cells.position(), description.axes);
    for (Reading& reading : readings) {
      if (reading.matches(place)) add_cells(reading, cells, draws.of(reading.row));
    }
    return {};
  }));
  std::vector<Measured> measured(item.rows.size());
  for (Reading& reading : readings) {
    measured[reading.row] = measured_of(reading, draws.of(reading.row));
    reading.sample = {};
  }
  return measured;
}

}  // namespace holdfast::reproduction
