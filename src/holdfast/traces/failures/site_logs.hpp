#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/traces/capacity/capacity_series.hpp"
#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/jobs/job_log.hpp"
#include "holdfast/traces/lifetimes/lifetime_table.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Logs of single sites, each in a format of its own; one file per reader. traces/README.md says what is odd about each.
namespace holdfast {

/// Fatal events of Blue Gene/L (`2005-06-05-01.55.06.697467 LOCATION RAS KERNEL FATAL text`): a failure without length of
/// that location. One fault is seen by many chips: 98 % of the events follow another within a second, so they need
/// merging before any fit.
[[nodiscard]] Result<FailureLog> read_bluegene_ras(LineReader lines,
                                                   std::optional<std::string> system);
[[nodiscard]] bool looks_like_bluegene_ras(std::string_view head);

/// Disk failures of the file system Alpine (CSV: Timestamp, SSC, SSU, Enclosure, Slot, ...): a failure without length of the
/// disk in that slot.
[[nodiscard]] Result<FailureLog> read_alpine_disks(LineReader lines,
                                                   std::optional<std::string> system);
[[nodiscard]] bool looks_like_alpine_disks(std::string_view head);

/// Incidents of the cluster Wynton (CSV: year, start, stop, length, severity, affected, reason): outages of the whole.
[[nodiscard]] Result<FailureLog> read_wynton_incidents(LineReader lines,
                                                       std::optional<std::string> system);
[[nodiscard]] bool looks_like_wynton_incidents(std::string_view head);
/// The share of it in service. An incident that affects jobs, computers or all (*) takes all machines away, a partial
/// outage half of them, as the file does not say how many. Where the length that it states is another than that between
/// its two times, the shorter one counts.
[[nodiscard]] Result<CapacitySeries> read_wynton_service(LineReader lines);

/// Windows in which a whole machine was out of service: two dates a line, without a header (planned maintenance of Mira).
[[nodiscard]] Result<FailureLog> read_service_windows(LineReader lines,
                                                      std::optional<std::string> system);
[[nodiscard]] bool looks_like_service_windows(std::string_view head);

/// Reservations of Mira (16 quoted columns without a header): each is a job that is submitted when it starts.
[[nodiscard]] Result<JobLogFacts> read_mira_reservations(LineReader lines, const JobSink& sink);
[[nodiscard]] bool looks_like_mira_reservations(std::string_view head);
/// The share of its 49 152 nodes in service: reservations for hardware (`R.hw...`) take their nodes away for the length that
/// they state.
[[nodiscard]] Result<CapacitySeries> read_mira_service(LineReader lines);

/// Lives of Titan's GPUs (CSV: SN, location, insert, remove, duration, out, event). A GPU has failed where it was taken
/// out and its row has an event; all others are censored (moved, replaced before they failed, alive at the end). Its age
/// counts the time that it was in any slot; a life in a later slot begins at the age that it had. Durations are used, not
/// the local times.
[[nodiscard]] Result<LifetimeTable> read_titan_gpus(LineReader lines);
[[nodiscard]] bool looks_like_titan_gpus(std::string_view head);

}  // namespace holdfast
