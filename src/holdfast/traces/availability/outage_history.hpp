#pragma once

#include "holdfast/traces/availability/availability.hpp"
#include "holdfast/traces/capacity/capacity_series.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

namespace holdfast {

/// Returns when the nodes of a failure log were up: from the start of their service (or of the log, where that is unknown)
/// to its end, except during their outages. Nodes that the log counts but does not name are up all the time.
/// @param lost  counts the outages that are left out, because they have length 0 or name no node
[[nodiscard]] Result<AvailabilityRecord> availability_of(const FailureLog& log, Oddities& lost);

/// Returns the failures of workers: each time a worker goes down. A worker that is down when its record begins did not
/// fail at that time, and a reclaimed worker has not failed. An error (with an empty place) if no worker failed.
/// @param lost  counts the records that begin down
[[nodiscard]] Result<FailureLog> failures_of(const AvailabilityRecord& record, Oddities& lost);

/// Returns the share of all workers that are up, from 0 to 1. A worker that is reclaimed, down or unwatched is out of
/// service.
[[nodiscard]] Result<CapacitySeries> service_of(const AvailabilityRecord& record);

/// Returns the share of all nodes that are up, from 0 to 1, as availability_of() has it: a node is out of service before and
/// after its service, and several systems count as one. A log in which no outage takes time (one without repairs) is an
/// error.
[[nodiscard]] Result<CapacitySeries> service_of(const FailureLog& log);

}  // namespace holdfast
