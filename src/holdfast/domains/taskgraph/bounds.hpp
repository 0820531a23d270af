#pragma once

#include "holdfast/domains/taskgraph/instance.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::taskgraph {

/// Lower bounds on every schedule, in seconds. A failed attempt counts like any other: with `f` failures, a task is a chain of
/// f + 1 copies of itself.
struct Bounds {
  /// A_min / P: all attempts with their smallest areas on a full machine.
  double area = 0;
  double critical_path = 0;  ///< C_min: longest path, all attempts with their shortest times

  /// Returns LB <= OPT, in seconds.
  [[nodiscard]] double lower() const { return std::max(area, critical_path); }
};

/// The contribution of each task to the bounds, which many scenarios of one instance share.
struct LeastCosts {
  std::vector<double> areas;  ///< [n] a_min, processor-seconds
  std::vector<double> times;  ///< [n] t_min, seconds
};
[[nodiscard]] LeastCosts least_costs(const Instance& instance);
/// Returns what all attempts of each task cost at least in that scenario, for the bounds without further failures.
[[nodiscard]] LeastCosts least_costs(const Instance& instance, Strikes strikes);

/// Returns the bounds of an instance. If tasks are released over time, a path starts at a release, and what cannot start before
/// some time counts from then on: its area and all its attempts. Source: Perotin's thesis, Lemma 14; attempts as in Lemma 1.
/// @param failures  [n] failed attempts, or empty for none
[[nodiscard]] Bounds lower_bounds(const Instance& instance, const LeastCosts& costs,
                                  std::span<const std::int64_t> failures = {});
[[nodiscard]] Bounds lower_bounds(const Instance& instance,
                                  std::span<const std::int64_t> failures = {});

}  // namespace holdfast::taskgraph
