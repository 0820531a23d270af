#pragma once

#include "holdfast/contract/domain.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::io {

/// The results of a window. Yields are progress divided by age at its end. Source: thesis, section 7.3, equations 7.6 to 7.11.
struct Metrics {
  double minimum_yield = 0;
  std::optional<double> yield_bound;    ///< no strategy has a larger minimum yield in this window
  std::optional<double> optimal_yield;  ///< the largest possible minimum yield, if it is known
  double efficiency = 0;   ///< progress inside the window divided by its length, weighted by nodes
  double utilization = 0;  ///< work inside the window divided by its length, weighted by nodes
  /// Bytes that all would move alone, divided by what the file system can move.
  double pressure = 0;
  double bandwidth_efficiency = 0;  ///< efficiency weighted by bandwidths instead of nodes
  double idle_bandwidth = 0;        ///< share of the bandwidth that was not used
  std::int64_t decisions = 0;
  std::int64_t preemptions = 0;  ///< operations paused before their end
  std::optional<double> period;  ///< period of periodic-greedy-yield, seconds
  double applications = 0;
  double length = 0;                ///< length of the window, seconds
  std::optional<double> occupancy;  ///< nodes of the applications divided by those of the machine
  /// Mean yields of sixths of the applications, in order of iteration time and in order of the fraction of I/O.
  static constexpr std::size_t kSixths = 6;
  std::array<std::optional<double>, kSixths> by_iteration = {};
  std::array<std::optional<double>, kSixths> by_fraction = {};
};

/// Returns the mean of the yields in each sixth of the applications, in a given order.
[[nodiscard]] std::array<std::optional<double>, Metrics::kSixths> mean_of_sixths(
    std::span<const double> yields, std::span<const std::uint32_t> order);

[[nodiscard]] std::vector<Metric> metrics();
/// Returns the values in the order of the table.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);

}  // namespace holdfast::io
