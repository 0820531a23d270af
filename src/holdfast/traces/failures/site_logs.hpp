#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Failure logs of single sites. Each has its own format and its own reader. `traces/README.md` lists their oddities. Readers
/// keep only the system that is asked for, and errors name FILE:LINE.
namespace holdfast {

/// Reads the fatal events of Blue Gene/L (`2005-06-05-01.55.06.697467 LOCATION RAS KERNEL FATAL text`). Each is an outage of
/// length 0 at that location. Many chips report the same fault: 98 % of the events follow another one within a second, so they
/// must be merged before any fit.
[[nodiscard]] Result<FailureLog> read_bluegene_ras(LineReader lines,
                                                   std::optional<std::string> system);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_bluegene_ras(std::string_view head);

/// Reads the disk failures of the file system Alpine (CSV: Timestamp, SSC, SSU, Enclosure, Slot, ...). Each is an outage of
/// length 0 of the disk in that slot.
[[nodiscard]] Result<FailureLog> read_alpine_disks(LineReader lines,
                                                   std::optional<std::string> system);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_alpine_disks(std::string_view head);

/// Reads the incidents of the cluster Wynton (CSV: year, start, stop, length, severity, affected, reason) as outages of the
/// whole cluster.
[[nodiscard]] Result<FailureLog> read_wynton_incidents(LineReader lines,
                                                       std::optional<std::string> system);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_wynton_incidents(std::string_view head);
/// Reads the share of Wynton that was in service, from 0 to 1. An incident that affects jobs, computers or everything (*) takes
/// all machines out of service. A partial outage takes half of them, because the file does not say how many. If the stated
/// length differs from the time between start and stop, the shorter one counts.
[[nodiscard]] Result<CapacitySeries> read_wynton_service(LineReader lines);

/// Reads windows in which a whole machine was out of service: two dates per line, without a header (planned maintenance of
/// Mira).
[[nodiscard]] Result<FailureLog> read_service_windows(TraceText text,
                                                      std::optional<std::string> system);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_service_windows(std::string_view head);

/// Reads the events of Slurm's nodes (`sacctmgr -nP list event ... format=NodeName,Start,End,State,Reason`, with or without a
/// header). DOWN, FAIL, ERROR and NOT_RESPONDING are outages. Drained nodes, maintenance, reboots, power saving and events of
/// the cluster are left out and counted. Dates are local; `Unknown` means no end.
[[nodiscard]] Result<FailureLog> read_slurm_events(LineReader lines,
                                                   std::optional<std::string> system);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_slurm_events(std::string_view head);

}  // namespace holdfast
