#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"

#include <cstdint>
#include <span>

namespace holdfast::machine {

/// What it costs the others that wait, in node-seconds, if one of them has the file system for as long as it takes alone:
/// nodes times (waited so far + that time) of each that stalls; of each that works, the probability that it fails
/// meanwhile, times nodes times what it would lose.
/// @param waiting  their positions among the requests
/// @param[out] costs  one for each of these
void least_waste_costs(const bandwidth::Situation& situation,
                       std::span<const std::uint32_t> waiting, std::span<double> costs);

}  // namespace holdfast::machine
