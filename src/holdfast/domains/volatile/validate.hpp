#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/instance.hpp"
#include "holdfast/domains/volatile/metrics.hpp"
#include "holdfast/domains/volatile/simulate.hpp"

namespace holdfast::volatile_workers {

/// An independent check that what happened obeys the model: only workers that are up act; a
/// configuration gives out every task, within every worker's room, to workers that are up; at most
/// ncom workers receive in a slot; the program comes before the data and the data before the
/// computation; nobody computes before all have what they need, nor when one of them is not up;
/// what went down has nothing left; every port that could be used is used; iterations end after W
/// common slots and are as many as the metrics say. Looks at the slots one by one and shares nothing
/// with the simulators but the records.
/// @returns bad_value naming the slot
[[nodiscard]] Status validate(const Instance& instance, Availability& availability,
                              const History& history, const Metrics& metrics,
                              bool keep_data = true);

}  // namespace holdfast::volatile_workers
