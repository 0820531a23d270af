#include "holdfast/contract/decision.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace holdfast {
namespace {

// Returns the position of a field among the fields that are given once, or among those that are given per item.
std::size_t place_of(std::span<const DecisionField> fields, bool per_item, std::string_view name,
                     std::string_view how) {
  std::vector<std::string_view> names;
  for (const DecisionField& field : fields) {
    if (field.per_item != per_item) continue;
    if (field.name == name) return names.size();
    names.push_back(field.name);
  }
  throw std::out_of_range(
      fmt::format("{} is not given {}; {}", in_quotes(name), how, suggestion(name, names)));
}

}  // namespace

std::span<const double> DecisionInput::operator[](std::string_view name) const {
  return columns[place_of(table->told, true, name, "for each item")];
}

double DecisionInput::once(std::string_view name) const {
  return scalars[place_of(table->told, false, name, "for the whole decision")];
}

double DecisionInput::curve(std::string_view name, double x, std::uint32_t item) const {
  std::vector<std::string_view> names;
  for (const DecisionField& field : table->curves) {
    if (field.name == name) {
      double y = 0;
      evaluate(names.size(), {&item, 1}, {&x, 1}, {&y, 1});
      return y;
    }
    names.push_back(field.name);
  }
  throw std::out_of_range(
      fmt::format("there is no curve {}; {}", in_quotes(name), suggestion(name, names)));
}

}  // namespace holdfast
