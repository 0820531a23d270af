#pragma once

#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/contract/domain.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

/// The gain over the baseline, split into the gain by more knowledge and the gain by the plan (see InformedBaseline).
namespace holdfast {

/// The positions of the three strategies that the split needs.
struct SplitStrategies {
  std::size_t recommended = 0;
  std::size_t informed = 0;
  std::size_t baseline = 0;
};

/// Returns these positions; nothing if the domain has no informed baseline, or if one of the three strategies is not there
/// without parameters.
[[nodiscard]] std::optional<SplitStrategies> split_strategies(
    const Domain& domain, std::span<const std::string> strategies);

struct GainSplit {
  Comparison whole;  ///< recommended / baseline; in each draw the product of the two others
  Comparison known;  ///< informed / baseline
  Comparison plan;   ///< recommended / informed
};

/// Returns the split at one point; nothing if one of the three gave up runs there, or a pair has no draw.
[[nodiscard]] std::optional<GainSplit> split_gain(const PointCells& cells,
                                                  const SplitStrategies& strategies,
                                                  std::size_t metric);

}  // namespace holdfast
