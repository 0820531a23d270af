#pragma once

#include "holdfast/traces/availability/availability.hpp"
#include "holdfast/traces/capacity/capacity_series.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

namespace holdfast {

/// Who was up when, by a failure log: each node from the start of its service (where nobody knows it, of the log) to its
/// end, down during its outages. Nodes that the log counts but does not name are up all the time.
/// @param lost  outages of length 0 and those that name no node are left out and counted here
[[nodiscard]] Result<AvailabilityRecord> availability_of(const FailureLog& log, Oddities& lost);

/// The failures of workers: each time one goes down. A worker that is down when its record begins did not fail then;
/// reclaimed is not failed. @param lost  such beginnings are counted here
[[nodiscard]] Result<FailureLog> failures_of(const AvailabilityRecord& record, Oddities& lost);

/// The share of all workers that are up. One that is reclaimed, down or not watched is out.
[[nodiscard]] Result<CapacitySeries> service_of(const AvailabilityRecord& record);

/// The share of all nodes that are up, as availability_of() has it: before its service and after it a node is out, and
/// several systems count as one. An error where no outage takes time (a log without repairs).
[[nodiscard]] Result<CapacitySeries> service_of(const FailureLog& log);

}  // namespace holdfast
