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
    std::span<const Value* const> deciding) const {
  const bool is_informed =
      !informed.strategy.empty() &&
      std::any_of(deciding.begin(), deciding.end(),
                  [this](const Value* value) { return informed.differs(*value); });
  std::vector<std::string_view> out;
  for (const std::string_view strategy :
       {recommended, is_informed ? informed.strategy : std::string_view(), baseline}) {
    const bool is_there = std::find(out.begin(), out.end(), strategy) != out.end();
    if (!strategy.empty() && !is_there) out.push_back(strategy);
  }
  return out;
}

}  // namespace holdfast
