#pragma once

#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/contract/domain.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

/// The gain over the baseline, split into the part that comes from more knowledge and the part that comes from the better plan
/// (see InformedBaseline).
namespace holdfast {

/// The positions of the three strategies that the split needs.
struct SplitStrategies {
  std::size_t recommended = 0;
  std::size_t informed = 0;
  std::size_t baseline = 0;
};

/// Returns these positions, or nothing if the domain has no informed baseline, or if one of the three strategies did not
/// run without parameters.
[[nodiscard]] std::optional<SplitStrategies> split_strategies(
    const Domain& domain, std::span<const std::string> strategies);

struct GainSplit {
  Comparison whole;  ///< recommended / baseline; for each draw, the product of the two below
  Comparison known;  ///< informed / baseline
  Comparison plan;   ///< recommended / informed
};

/// Returns the split at one point, or nothing if one of the three gave up runs there, or if they have no common draw.
[[nodiscard]] std::optional<GainSplit> split_gain(const PointCells& cells,
                                                  const SplitStrategies& strategies,
                                                  std::size_t metric);

}  // namespace holdfast
