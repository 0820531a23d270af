#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast {

/// Paired ratios baseline / other of one metric over many points of a campaign.
struct Marginal {
  std::optional<std::size_t> axis;  ///< the points agree in this swept parameter; none: all points
  std::size_t value = 0;            ///< position among the axis's values
  std::uint64_t pairs = 0;
  std::uint64_t left_out = 0;  ///< points at which one of the two gave up runs: they are in nothing
  std::optional<double> geometric_mean;
  std::optional<double> geometric_sd;
  /// 95 %, of the geometric mean. Pairs of different points may have met the same luck, so their
  /// number is no number of independent observations: the interval comes from the draws (instance
  /// and scenario, at most 1024 groups of them), whose shares of the mean logarithm it takes as
  /// independent. Student's t with as many degrees of freedom as groups less one.
  std::optional<std::array<double, 2>> interval;
};

/// One marginal for each value of each swept parameter in the order of the description, then one
/// over everything; in one pass over the results, in the order of the design.
/// @param other  position of a strategy @pre the description has a baseline, and it is another one
[[nodiscard]] Result<std::vector<Marginal>> ratio_marginals(const Results& results,
                                                            std::size_t metric, std::size_t other);

}  // namespace holdfast
