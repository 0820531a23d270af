#include "holdfast/traces/formats.hpp"

#include <array>

namespace holdfast {

/// All formats, in the order in which they are tried on a file: the first that recognises it reads it. A line names the record
/// of the format's kind and NAME of `FormatOf<Record> NAME_format()`, which the file that reads the format defines.
#define HOLDFAST_FORMATS(FORMAT)           \
  FORMAT(IoLogs, darshan_dxt)              \
  FORMAT(IoLogs, darshan_parser)           \
  FORMAT(IoLogs, io_totals)                \
  FORMAT(FailureLog, lanl)                 \
  FORMAT(FailureLog, labelled_log)         \
  FORMAT(FailureLog, bluegene_ras)         \
  FORMAT(FailureLog, alpine_disks)         \
  FORMAT(FailureLog, wynton_incidents)     \
  FORMAT(FailureLog, slurm_events)         \
  FORMAT(FailureLog, fault_events)         \
  FORMAT(FailureLog, batsim_events)        \
  FORMAT(FailureLog, service_windows)      \
  FORMAT(FailureLog, prometheus_up)        \
  FORMAT(LifetimeTable, titan_gpus)        \
  FORMAT(FailureLog, failures_csv)         \
  FORMAT(FailureLog, node_states)          \
  FORMAT(FailureLog, node_columns)         \
  FORMAT(LifetimeTable, lifetimes_csv)     \
  FORMAT(WorkflowRun, wfformat)            \
  FORMAT(WorkflowRun, dax)                 \
  FORMAT(WorkflowRun, nextflow_trace)      \
  FORMAT(WorkflowRun, snakemake_benchmark) \
  FORMAT(WorkflowRun, snakemake_history)   \
  FORMAT(WorkflowRun, snakemake_log)       \
  FORMAT(WorkflowRun, dagman)              \
  FORMAT(WorkflowRun, stg)                 \
  FORMAT(AvailabilityRecord, fta)          \
  FORMAT(MachineTable, fta_component)      \
  FORMAT(MachineTable, fta_node)           \
  FORMAT(MachineTable, fta_platform)       \
  FORMAT(AvailabilityRecord, state_events) \
  FORMAT(AvailabilityRecord, states)       \
  FORMAT(AvailabilityRecord, avt)          \
  FORMAT(JobLog, swf)                      \
  FORMAT(JobLog, lsf_accounting)           \
  FORMAT(JobLog, sacct)                    \
  FORMAT(FailureLog, node_fail_jobs)       \
  FORMAT(JobLog, pbs_accounting)           \
  FORMAT(JobLog, job_table)                \
  FORMAT(JobLog, borg_jobs)                \
  FORMAT(JobLog, batsim_json)              \
  FORMAT(JobLog, batsim_csv)               \
  FORMAT(JobLog, jobs_csv)                 \
  FORMAT(JobLog, alibaba_pods)             \
  FORMAT(JobLog, philly_jobs)              \
  FORMAT(JobLog, sge_accounting)           \
  FORMAT(MachineTable, alibaba_nodes)      \
  FORMAT(MachineTable, machines_csv)       \
  FORMAT(JobLog, mira_reservations)        \
  FORMAT(CapacitySeries, spot_json)        \
  FORMAT(CapacitySeries, entsoe_xml)       \
  FORMAT(CapacitySeries, capacity_csv)     \
  FORMAT(CapacitySeries, series_csv)       \
  FORMAT(SpeedupTable, extrap)             \
  FORMAT(SpeedupTable, scaling_blocks)     \
  FORMAT(SpeedupTable, speedup_table)

#define HOLDFAST_DECLARED(Record, name) FormatOf<Record> name##_format();
HOLDFAST_FORMATS(HOLDFAST_DECLARED)

std::span<const Format> formats() {
#define HOLDFAST_ROW(Record, name) name##_format(),
  static const auto kFormats = std::to_array<Format>({HOLDFAST_FORMATS(HOLDFAST_ROW)});
  return kFormats;
}

}  // namespace holdfast
