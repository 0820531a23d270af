#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"

#include <cstdint>
#include <span>

namespace holdfast::machine {

/// Computes for each waiting job what its transfer costs the other waiting jobs, in node-seconds, if it has the file system to
/// itself for as long as it takes alone. For each job that stalls the cost is nodes times (time waited so far + that time). For
/// each job that works it is the probability of a failure in that time, times nodes, times the work that the job would lose.
/// @param waiting  their positions among the requests
/// @param[out] costs  one cost for each of these
void least_waste_costs(const bandwidth::Situation& situation,
                       std::span<const std::uint32_t> waiting, std::span<double> costs);

}  // namespace holdfast::machine
