#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/stop.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/checkpoint/optimum/renewal.hpp"

namespace holdfast::checkpoint {

/// Returns the expected makespan of a strategy if failures are a renewal process, without simulation. From each state in which
/// a failure may leave the job, its checkpoints are followed as if nothing failed. Each segment adds its expected time and,
/// weighted with the probability of a failure in it, the expected time from that failure. Each state has one unknown, and
/// states with less work are already known, so one pass is enough.
///
/// A strategy with fixed segments has as many states as segments, and the result is as exact as the integrals. A strategy that
/// plans again can reach any amount of work left. The expected time from a failure is then computed at amounts that are at most
/// period / `per_period` apart (and at most 1/100 of the amount itself), and interpolated between them by the smoothest of the
/// cubics through four neighbours.
/// @param period      for the grid of amounts, seconds: about the shortest segment of a good plan
/// @returns an error for a strategy that knows future failures, or that calls a rule which the caller supplied
[[nodiscard]] Result<double> expected_makespan(const Instance& instance,
                                               const RenewalFailures& failures,
                                               const StrategySpec& spec, double period,
                                               double per_period, Stop stop);

}  // namespace holdfast::checkpoint
