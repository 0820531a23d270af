#pragma once

#include "holdfast/base/stop.hpp"
#include "holdfast/domains/machine/book.hpp"
#include "holdfast/domains/machine/instance.hpp"
#include "holdfast/domains/machine/realisation.hpp"
#include "holdfast/domains/machine/schedule.hpp"
#include "holdfast/domains/machine/strategy.hpp"

#include <vector>

namespace holdfast::machine {

/// Runs the jobs of a machine: starts by the scheduler, work, transfers that share the file system by the strategy,
/// failures. Transfers are fluid: rates hold until the next event. At one date, in this order and each by the jobs' numbers:
/// transfers that end, work that ends, downtimes that end, failures, repairs and arrivals, the scheduler, one decision on
/// bandwidth. A transfer is complete when 1e-12 of its volume is left, or what takes at most 4 units in the last place of
/// the date; what differs by no more happens at one date.
/// @pre check(instance)
/// @param rows  gets the schedule; may be null
[[nodiscard]] Run simulate(const Instance& instance, Strategy& strategy, Realisation& realisation,
                           std::vector<ScheduleRow>* rows = nullptr, Stop stop = {});

}  // namespace holdfast::machine
