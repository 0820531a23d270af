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

/// A number that a grid gave, and the same on a grid half as fine: the error left is smaller than their difference where
/// the grid is fine enough to be of use.
struct OnTwoGrids {
  double value = 0;
  double coarse = 0;
  [[nodiscard]] double error() const { return value > coarse ? value - coarse : coarse - value; }
};

/// The least expected makespan of a job whose failures are a renewal process, and that of some strategies.
struct Optimum {
  OnTwoGrids makespan;       ///< seconds
  std::vector<double> cuts;  ///< work done at each checkpoint if nothing fails
  std::size_t cells = 0;     ///< number of cells of the work
  std::size_t ages = 0;
  std::vector<OnTwoGrids> strategies;  ///< expected makespans, in the order of the question
};

/// @param cells  of the work; none: as fine as the job asks for
/// @pre check_renewal(instance)
[[nodiscard]] Result<Optimum> find_optimum(const Instance& instance,
                                           std::span<const StrategySpec> strategies,
                                           std::optional<std::size_t> cells, Stop stop);

}  // namespace holdfast::checkpoint
