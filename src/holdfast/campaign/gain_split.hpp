#pragma once

#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/contract/domain.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

/// Which part of a gain over the baseline is knowing more, and which the plan: InformedBaseline.
namespace holdfast {

/// Positions of the three strategies that it takes.
struct SplitStrategies {
  std::size_t recommended = 0;
  std::size_t informed = 0;
  std::size_t baseline = 0;
};

/// Nothing where the domain has no informed baseline, or one of the three is not among the strategies as it stands in the
/// domain's table, without parameters.
[[nodiscard]] std::optional<SplitStrategies> split_strategies(
    const Domain& domain, std::span<const std::string> strategies);

struct GainSplit {
  Comparison whole;  ///< recommended / baseline; in each draw the product of the two others
  Comparison known;  ///< informed / baseline
  Comparison plan;   ///< recommended / informed
};

/// Nothing where one of the three gave up runs at this point, or a pair has no draw.
[[nodiscard]] std::optional<GainSplit> split_gain(const PointCells& cells,
                                                  const SplitStrategies& strategies,
                                                  std::size_t metric);

}  // namespace holdfast
