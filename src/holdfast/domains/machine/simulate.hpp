#pragma once

#include "holdfast/base/stop.hpp"
#include "holdfast/domains/machine/instance.hpp"
#include "holdfast/domains/machine/ledger.hpp"
#include "holdfast/domains/machine/realisation.hpp"
#include "holdfast/domains/machine/schedule.hpp"
#include "holdfast/domains/machine/strategy.hpp"

#include <vector>

namespace holdfast::machine {

/// Runs the jobs of a machine: job starts by the scheduler, work, transfers that share the file system by the strategy, and
/// failures. Transfers are fluid: rates are constant between events. Events with the same date are handled in this order, and
/// within each kind in order of job number: transfers that end, work that ends, downtimes that end, failures, repairs and
/// arrivals, the scheduler, one decision on bandwidth. A transfer is complete when 1e-12 of its volume is left, or when the
/// rest takes at most 4 units in the last place of the date. Dates that differ by no more than that are the same.
/// @pre check(instance)
/// @param rows  receives the schedule; may be null
[[nodiscard]] Run simulate(const Instance& instance, Strategy& strategy, Realisation& realisation,
                           std::vector<ScheduleRow>* rows = nullptr, Stop stop = {});

}  // namespace holdfast::machine
