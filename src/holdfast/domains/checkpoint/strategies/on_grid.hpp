#pragma once

#include "holdfast/algorithms/checkpoints/grid.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"

namespace holdfast::checkpoint {

/// Returns a strategy that plans on multiples of a quantum: the common part of next-step-grid and next-failure.
/// @returns an error if the quantum is longer than the work
[[nodiscard]] Made strategy_on_grid(const Instance& instance, double quantum,
                                    checkpoints::Goal goal);

}  // namespace holdfast::checkpoint
