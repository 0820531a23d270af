#include "holdfast/pages/dimension.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/pages/summary_tables.hpp"
#include "holdfast/report/number_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace holdfast {
namespace {

// A number with its unit; texts have their own unit.
struct Quantity {
  double value = 0;
  Unit unit = Unit::none;
};

std::optional<Quantity> quantity_of(const Value& value, Unit known) {
  if (value.is_number()) return Quantity{value.number(), known};
  const std::string* text = value.string();
  if (text == nullptr) return std::nullopt;
  for (const Unit unit : {known, Unit::none, Unit::seconds, Unit::bytes, Unit::bytes_per_second}) {
    if (const auto number = parse_quantity(*text, unit)) return Quantity{*number, unit};
  }
  return std::nullopt;
}

Unit unit_of_field(std::string_view name, std::span<const Parameter> fields) {
  const auto field = std::find_if(fields.begin(), fields.end(),
                                  [name](const Parameter& one) { return one.name == name; });
  return field == fields.end() ? Unit::none : field->unit;
}

// Removes the members that all tables of a sweep have in common, because they do not distinguish the tables.
std::vector<Value> without_common_members(std::vector<Value> values) {
  if (values.size() < 2 || values.front().members() == nullptr) return values;
  std::vector<std::string> common;
  for (const auto& [name, first] : *values.front().members()) {
    const bool is_common = std::all_of(values.begin(), values.end(), [&](const Value& value) {
      const Value* member = value.find(name);
      return member != nullptr && *member == first;
    });
    if (is_common) common.push_back(name);
  }
  for (Value& value : values) {
    for (const std::string& name : common) value.erase(name);
  }
  return values;
}

std::vector<std::string> texts_of(const std::vector<Value>& values) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const Value& value : values) texts.push_back(parameter_text(value));
  return texts;
}

// Returns labels that distinguish the values and are as short as possible.
std::vector<std::string> labels_of(const std::vector<Value>& values) {
  std::vector<std::string> labels = texts_of(without_common_members(values));
  std::vector<std::string> sorted = labels;
  std::sort(sorted.begin(), sorted.end());
  const bool is_unique = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  return is_unique ? labels : texts_of(values);
}

// Names the members of tables once, in the title, if all tables have the same; their labels are the values alone.
void name_members_once(const std::vector<Value>& tables, Dimension& dimension) {
  const std::vector<Value> different = without_common_members(tables);
  const Value::Object* members = different.front().members();
  if (members == nullptr || members->size() < 2) return;
  std::vector<std::string> names;
  for (const auto& [name, member] : *members) names.push_back(name);
  std::vector<std::string> labels;
  for (const Value& table : different) {
    std::vector<std::string> parts;
    for (const std::string& name : names) {
      const Value* member = table.find(name);
      if (member == nullptr || table.members()->size() != names.size()) return;
      parts.push_back(parameter_text(*member));
    }
    labels.push_back(join(parts, ", "));
  }
  dimension.labels = std::move(labels);
  dimension.name = dimension.title = join(names, ", ");
}

// Sorts the labels by their numbers and gives them one unit. It does nothing if one of them is not a number.
void read_numbers(const std::vector<Value>& values, Unit known, Dimension& dimension) {
  std::vector<double> numbers;
  Unit unit = known;
  for (const Value& value : values) {
    const auto quantity = quantity_of(value, known);
    if (!quantity) return;
    if (!numbers.empty() && quantity->unit != unit && quantity->value != 0) return;
    unit = quantity->unit;
    numbers.push_back(quantity->value);
  }
  std::vector<std::uint32_t> order(numbers.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return numbers[i]; });
  const double largest =
      std::max(std::abs(numbers[order.front()]), std::abs(numbers[order.back()]));
  const DisplayUnit shown = display_unit(unit, largest);
  std::vector<std::string> labels;
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    // A plain number is in the base unit, but the title names another unit.
    const bool is_bare = values[order[i]].is_number() && !shown.name.empty();
    labels.push_back(is_bare ? to_text(numbers[order[i]] / shown.size, 6)
                             : dimension.labels[order[i]]);
    dimension.numbers.push_back(numbers[order[i]] / shown.size);
    place[order[i]] = i;
  }
  dimension.labels = std::move(labels);
  for (std::uint32_t& label : dimension.of_value_) label = place[label];
  if (!shown.name.empty()) dimension.title += " (" + shown.name + ")";
}

// The place to which a name refers: an axis, and a pointer into its values.
struct Place {
  std::size_t axis = 0;
  std::string pointer;
};

std::optional<Place> place_of(const Description& description, std::string_view name) {
  for (std::size_t i = 0; i < description.axes.size(); ++i) {
    const Axis& axis = description.axes[i];
    if (name == axis.name) return Place{i, ""};
    if (name.starts_with(axis.name + "/"))
      return Place{i, std::string(name.substr(axis.name.size()))};
    if (axis.name != kPointsAxis) continue;
    const std::string pointer = "/" + std::string(name);
    const bool is_named =
        std::any_of(axis.values.begin(), axis.values.end(),
                    [&](const Value& table) { return table.at(pointer) != nullptr; });
    if (is_named) return Place{i, pointer};
  }
  return std::nullopt;
}

// Returns a hash that is equal for equal values: numbers are compared by value, and members may have any order.
std::size_t hash_of(const Value& value) {
  if (value.is_number()) return std::hash<double>{}(value.number());
  if (const auto* text = value.string()) return std::hash<std::string_view>{}(*text);
  std::size_t out = 0;
  if (const auto* items = value.array_items()) {
    for (const Value& item : *items) out = 31 * out + hash_of(item);
  }
  if (const auto* members = value.members()) {
    for (const auto& [name, member] : *members) {
      out += std::hash<std::string_view>{}(name) ^ (31 * hash_of(member) + 1);
    }
  }
  return out;
}

std::vector<std::string_view> known_names(const Description& description) {
  std::vector<std::string_view> names{"strategy"};
  for (const Axis& axis : description.axes) {
    names.push_back(axis.name);
    if (axis.name != kPointsAxis) continue;
    for (const Value& table : axis.values) {
      for (const auto& [name, value] : *table.members()) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
  }
  return names;
}

}  // namespace

Dimension strategy_dimension(const Description& description) {
  Dimension out;
  out.name = "strategy";
  out.title = "strategy";
  out.labels = description.strategies;
  out.is_strategy = true;
  return out;
}

Dimension coarsened(const Dimension& dimension, std::size_t most) {
  const std::size_t count = dimension.labels.size();
  if (dimension.is_strategy || count <= most) return dimension;
  Dimension out = dimension;
  out.together_ = (count + most - 1) / most;
  out.labels.clear();
  out.numbers.clear();
  for (std::size_t begin = 0; begin < count; begin += out.together_) {
    const std::size_t end = std::min(count, begin + out.together_);
    out.labels.push_back(end - begin == 1 ? dimension.labels[begin]
                                          : fmt::format("{} to {}", dimension.labels[begin],
                                                        dimension.labels[end - 1]));
    if (dimension.numbers.empty()) continue;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += dimension.numbers[i];
    out.numbers.push_back(sum / static_cast<double>(end - begin));
  }
  for (std::uint32_t& label : out.of_value_) label /= static_cast<std::uint32_t>(out.together_);
  return out;
}

Result<Dimension> find_dimension(const Description& description, std::string_view name,
                                 std::span<const Parameter> fields) {
  if (name == "strategy") return strategy_dimension(description);
  const auto place = place_of(description, name);
  if (!place) {
    return fail(ErrorCode::unknown_name, "",
                fmt::format("{} is not swept; {}", in_quotes(name),
                            suggestion(name, known_names(description))));
  }
  Dimension out;
  out.name = name;
  out.title = name;
  out.axis_ = place->axis;
  for (std::size_t i = place->axis + 1; i < description.axes.size(); ++i) {
    out.stride_ *= description.axes[i].values.size();
  }
  const std::vector<Value>& values = description.axes[place->axis].values;
  std::vector<Value> different;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash;  // positions in `different`
  for (const Value& value : values) {
    const Value* part = value.at(place->pointer);
    const Value& met = part == nullptr ? value : *part;
    const std::size_t hash = hash_of(met);
    const auto [first, last] = by_hash.equal_range(hash);
    auto known = std::find_if(first, last,
                              [&](const auto& entry) { return different[entry.second] == met; });
    if (known == last) {
      known = by_hash.emplace(hash, static_cast<std::uint32_t>(different.size()));
      different.push_back(met);
    }
    out.of_value_.push_back(known->second);
  }
  out.labels = labels_of(different);
  if (name == kPointsAxis) name_members_once(different, out);
  read_numbers(different, unit_of_field(name.substr(name.rfind('/') + 1), fields), out);
  return out;
}

}  // namespace holdfast
