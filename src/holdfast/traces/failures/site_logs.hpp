#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Failure logs of single sites, each in a format of its own; one file per reader. traces/README.md says what is odd about each.
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

}  // namespace holdfast
