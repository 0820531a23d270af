#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/instance.hpp"
#include "holdfast/domains/volatile/metrics.hpp"
#include "holdfast/domains/volatile/simulate.hpp"

namespace holdfast::volatile_workers {

/// Checks independently that a run follows the model. Only workers that are up act. A configuration assigns every task, within
/// every worker's capacity, to workers that are up. At most ncom workers receive in a slot. The program comes before the data,
/// and the data before the computation. No worker computes before all have what they need, nor while one of them is not up. A
/// worker that went down has nothing left. Every port that could be used is used. Iterations end after W common slots, and
/// their number agrees with the metrics. It looks at the slots one by one and shares only the records with the simulators.
/// @returns bad_value that names the slot
[[nodiscard]] Status validate(const Instance& instance, Availability& availability,
                              const History& history, const Metrics& metrics,
                              bool keep_data = true);

}  // namespace holdfast::volatile_workers
