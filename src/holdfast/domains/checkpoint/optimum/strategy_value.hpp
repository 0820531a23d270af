#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/stop.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/checkpoint/optimum/renewal.hpp"

namespace holdfast::checkpoint {

/// Returns the expected makespan of a strategy where failures are a renewal process, without simulation: from each state in which
/// a failure may leave the job its checkpoints are followed as if nothing failed, and each segment adds its expected
/// time and, with the probability that it is struck, the expected time from that failure. One unknown per state, and
/// the states of less work are known: one pass.
///
/// A strategy whose segments are fixed for the whole run has as many states as segments, and the answer is as exact as
/// the integrals. One that plans again meets a continuum of amounts of work left: the expected time from a failure is
/// taken at amounts that are at most period / `per_period` apart (and at most 1/100 of the amount itself), and between
/// them from the smoothest of the cubics through four neighbours.
/// @param period      of the grid of amounts, seconds: about the shortest segment of a good plan
/// @returns an error for a strategy that knows the failures, or asks a rule of the caller
[[nodiscard]] Result<double> expected_makespan(const Instance& instance,
                                               const RenewalFailures& failures,
                                               const StrategySpec& spec, double period,
                                               double per_period, Stop stop);

}  // namespace holdfast::checkpoint
