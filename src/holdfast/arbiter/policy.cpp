#include "holdfast/arbiter/policy.hpp"

#include "holdfast/domains/io/strategies.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace holdfast::arbiter {

std::vector<StrategyEntry> policies() {
  std::vector<StrategyEntry> out = io::strategies();
  std::erase_if(out,
                [](const StrategyEntry& one) { return one.takes_rule || one.name == "as-given"; });
  return out;
}

Result<Policy> make_policy(std::string_view text) {
  const std::vector<StrategyEntry> known = policies();
  HOLDFAST_TRY(spec, parse_strategy(text, known));
  const std::vector<StrategyEntry> all = io::strategies();
  const auto row = std::find_if(all.begin(), all.end(), [&](const StrategyEntry& one) {
    return one.name == known[spec.index].name;
  });
  spec.index = static_cast<std::size_t>(row - all.begin());
  HOLDFAST_TRY(strategy, io::make_strategy(spec, io::Instance{}, io::Load{.period = kUsualPeriod}));
  return Policy{.text = spec.text, .strategy = std::move(strategy)};
}

}  // namespace holdfast::arbiter
