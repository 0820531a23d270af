#pragma once

#include "holdfast/domains/taskgraph/instance.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::taskgraph {

/// What no schedule can beat, in seconds. A failed attempt counts like any other: `f` failures make
/// a task a chain of f + 1 copies of itself.
struct Bounds {
  double area = 0;           ///< A_min / P: all attempts at their least area, machine full
  double critical_path = 0;  ///< C_min: longest path, all attempts at their least time

  /// Returns LB <= OPT, in seconds.
  [[nodiscard]] double lower() const { return std::max(area, critical_path); }
};

/// What the bounds take from each task alone, so that many scenarios of one instance share it.
struct LeastCosts {
  std::vector<double> areas;  ///< [n] a_min, processors times seconds
  std::vector<double> times;  ///< [n] t_min, seconds
};
[[nodiscard]] LeastCosts least_costs(const Instance& instance);

/// Bounds of an instance. Source: Perotin's thesis, Lemma 14; attempts as in Lemma 1.
/// @param failures  [n] attempts that fail, or empty for none
[[nodiscard]] Bounds lower_bounds(const Instance& instance, const LeastCosts& costs,
                                  std::span<const std::int64_t> failures = {});
[[nodiscard]] Bounds lower_bounds(const Instance& instance,
                                  std::span<const std::int64_t> failures = {});

}  // namespace holdfast::taskgraph
