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
  /// The swept parameter in which the points agree; none for all points.
  std::optional<std::size_t> axis;
  std::size_t value = 0;  ///< position among the axis's values
  std::uint64_t pairs = 0;
  /// Points that are left out because one of the two gave up runs there.
  std::uint64_t left_out = 0;
  std::optional<double> geometric_mean;
  std::optional<double> geometric_sd;
  /// The 95 % interval of the geometric mean. Pairs of different points may share a realisation and are then not independent.
  /// So the interval is computed from the draws (instance and scenario, at most 1024 groups of them), whose shares of the
  /// mean logarithm are taken as independent, with Student's t and one degree of freedom less than groups.
  std::optional<std::array<double, 2>> interval;
};

/// Returns one marginal for each value of each swept parameter in the order of the description, then one over all points, in
/// one pass over the results.
/// @param other  position of a strategy that is not the baseline
/// @pre the description has a baseline
[[nodiscard]] Result<std::vector<Marginal>> ratio_marginals(const Results& results,
                                                            std::size_t metric, std::size_t other);

}  // namespace holdfast
