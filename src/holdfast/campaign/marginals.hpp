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
  /// The swept parameter whose value all these points share; none if the marginal is over all points of the campaign.
  std::optional<std::size_t> axis;
  std::size_t value = 0;  ///< position of that value among the values of the axis
  std::uint64_t pairs = 0;
  /// Points that are left out because one of the two strategies gave up runs there.
  std::uint64_t left_out = 0;
  std::optional<double> geometric_mean;
  std::optional<double> geometric_sd;
  /// The 95 % interval of the geometric mean. Pairs from different points may share a realisation and are then not independent.
  /// The interval is therefore computed from the draws (instance and scenario, at most 1024 groups of them), whose
  /// contributions to the mean logarithm are treated as independent, with Student's t and one degree of freedom less than the
  /// number of groups.
  std::optional<std::array<double, 2>> interval;
};

/// Returns one marginal for each value of each swept parameter in the order of the description, then one over all points. It
/// reads the results once.
/// @param other  position of the strategy to compare, which is not the baseline
/// @pre the description has a baseline
[[nodiscard]] Result<std::vector<Marginal>> ratio_marginals(const Results& results,
                                                            std::size_t metric, std::size_t other);

}  // namespace holdfast
