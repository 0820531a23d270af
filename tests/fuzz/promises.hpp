#pragma once

#include "holdfast/traces/availability/availability.hpp"
#include "holdfast/traces/capacity/capacity_series.hpp"
#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/io/darshan.hpp"
#include "holdfast/traces/jobs/job_log.hpp"
#include "holdfast/traces/lifetimes/lifetime_table.hpp"
#include "holdfast/traces/machines/machine_table.hpp"
#include "holdfast/traces/speedup/speedup_runs.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

/// What the readers' records promise to whoever takes them, whatever the file was. A promise that does not hold ends the
/// program: a finding of the fuzzer like a crash.
namespace holdfast::fuzz {

/// Ends the program with that sentence where it does not hold.
void promise(bool holds, const char* sentence);

void check(const FailureLog& log);
void check(const LifetimeTable& table);
void check(const WorkflowRun& run);
void check(const AvailabilityRecord& record);
void check(const CapacitySeries& series);
void check(const JobLog& log);
void check(const MachineTable& table);
void check(const IoLogs& logs);
void check(const SpeedupTable& runs);

}  // namespace holdfast::fuzz
