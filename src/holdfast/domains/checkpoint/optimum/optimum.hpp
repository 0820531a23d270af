#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/stop.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast::checkpoint {

/// A number from a grid, and the same number from a grid half as fine. If the grid is fine enough to be useful, the remaining
/// error is smaller than their difference.
struct OnTwoGrids {
  double value = 0;
  double coarse = 0;
  [[nodiscard]] double error() const { return value > coarse ? value - coarse : coarse - value; }
};

/// The smallest expected makespan of a job whose failures are a renewal process, and the expected makespans of some strategies.
struct Optimum {
  OnTwoGrids makespan;                 ///< seconds
  std::vector<double> cuts;            ///< work done at each checkpoint if nothing fails, seconds
  std::size_t cells = 0;               ///< number of cells of the work
  std::size_t ages = 0;                ///< number of nodes of the grid of ages
  std::vector<OnTwoGrids> strategies;  ///< expected makespans, in the order of the request
};

/// Finds the smallest expected makespan, and the expected makespans of these strategies.
/// @param cells  number of cells of the work; none: as fine as the job needs
/// @pre check_renewal(instance)
[[nodiscard]] Result<Optimum> find_optimum(const Instance& instance,
                                           std::span<const StrategySpec> strategies,
                                           std::optional<std::size_t> cells, Stop stop);

}  // namespace holdfast::checkpoint
