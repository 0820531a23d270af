#include "holdfast/campaign/gain_split.hpp"

#include <algorithm>
#include <string_view>

namespace holdfast {

std::optional<SplitStrategies> split_strategies(const Domain& domain,
                                                std::span<const std::string> strategies) {
  if (domain.informed.strategy.empty()) return std::nullopt;
  SplitStrategies out;
  const auto find = [strategies](std::string_view name, std::size_t& position) {
    const auto found = std::find(strategies.begin(), strategies.end(), name);
    position = static_cast<std::size_t>(found - strategies.begin());
    return found != strategies.end();
  };
  if (find(domain.recommended, out.recommended) && find(domain.informed.strategy, out.informed) &&
      find(domain.baseline, out.baseline)) {
    return out;
  }
  return std::nullopt;
}

std::optional<GainSplit> split_gain(const PointCells& cells, const SplitStrategies& strategies,
                                    std::size_t metric) {
  const auto [recommended, informed, baseline] = strategies;
  if (gave_up(cells, recommended) || gave_up(cells, informed) || gave_up(cells, baseline))
    return std::nullopt;
  const auto whole = compare(cells, recommended, baseline, metric);
  const auto known = compare(cells, informed, baseline, metric);
  const auto plan = compare(cells, recommended, informed, metric);
  if (!whole || !known || !plan) return std::nullopt;
  return GainSplit{*whole, *known, *plan};
}

}  // namespace holdfast
