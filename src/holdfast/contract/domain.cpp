#include "holdfast/contract/domain.hpp"

#include <algorithm>

namespace holdfast {

std::string_view name(Better better) {
  switch (better) {
    case Better::lower:
      return "lower";
    case Better::higher:
      return "higher";
    case Better::neither:
      break;
  }
  return "neither";
}

const Verb* Domain::verb(std::string_view verb_name) const {
  for (const Verb& candidate : verbs) {
    if (candidate.name == verb_name) return &candidate;
  }
  return nullptr;
}

std::vector<std::string_view> Domain::default_strategies(
    const std::function<std::vector<const Value*>(std::string_view)>& values_of) const {
  std::vector<std::string_view> out;
  const auto add = [&out](std::string_view strategy) {
    if (!strategy.empty() && std::ranges::find(out, strategy) == out.end()) out.push_back(strategy);
  };
  add(recommended);
  for (const StrategyEntry& entry : strategies) {
    if (!entry.used_with.empty() && !values_of(entry.used_with).empty()) add(entry.name);
  }
  const bool is_informed =
      !informed.strategy.empty() &&
      std::ranges::any_of(values_of(informed.field),
                          [this](const Value* value) { return informed.differs(*value); });
  if (is_informed) add(informed.strategy);
  add(baseline);
  return out;
}

std::string_view Domain::default_strategy(const Value& parameters) const {
  const auto asked_for = std::ranges::find_if(strategies, [&](const StrategyEntry& entry) {
    return !entry.used_with.empty() && parameters.find(entry.used_with) != nullptr;
  });
  return asked_for == strategies.end() ? recommended : asked_for->name;
}

}  // namespace holdfast
