#pragma once

#include "holdfast/traces/availability/availability.hpp"
#include "holdfast/traces/capacity/capacity_series.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

namespace holdfast {

/// Returns when the nodes of a failure log were up: from the start of their service (or of the log, where that is unknown)
/// to its end, except during their outages. Nodes that the log counts but does not name are up all the time.
/// @param lost  receives the number of outages that are left out because they have length 0 or name no node
[[nodiscard]] Result<AvailabilityRecord> availability_of(const FailureLog& log, Oddities& lost);

/// Returns the failures of workers, that is, each time a worker goes down. A worker that is down when its record begins did not
/// fail at that time, and a reclaimed worker has not failed. If no worker failed, the result is an error (with an empty place).
/// @param lost  receives the number of records that begin with a worker down
[[nodiscard]] Result<FailureLog> failures_of(const AvailabilityRecord& record, Oddities& lost);

/// Returns the share of all workers that are up, from 0 to 1. A worker that is reclaimed, down or unwatched is out of
/// service.
[[nodiscard]] Result<CapacitySeries> service_of(const AvailabilityRecord& record);

/// Returns the share of all nodes that are up, from 0 to 1, computed like availability_of(): a node is out of service before
/// and after its service, and several systems count as one. It is an error if all outages have length 0 (a log without
/// repairs).
[[nodiscard]] Result<CapacitySeries> service_of(const FailureLog& log);

}  // namespace holdfast
