#include "holdfast/base/units.hpp"
#include "holdfast/traces/capacity/service_share.hpp"
#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace holdfast {
namespace {

struct IncidentAt {
  enum : std::size_t { start, stop, length, severity, affected, reason };
};
constexpr auto kIncidentFields = std::to_array<TableField>({{.name = "start", .is = CellKind::date},
                                                            {.name = "stop", .is = CellKind::date},
                                                            {.name = "length"},
                                                            {.name = "severity"},
                                                            {.name = "affected"},
                                                            {.name = "reason"}});
constexpr TableKind kIncidentTable = {.records = "incidents", .fields = kIncidentFields};
constexpr std::string_view kIncidentColumns = "start,stop,length,severity,affected,reason";

/// One row, with unchanged texts.
struct Incident {
  double start = 0;
  double stop = std::numeric_limits<double>::infinity();  ///< infinity: not stated
  std::optional<double> length;                           ///< as stated, seconds
  std::string_view severity;
  std::string_view affected;
  std::string_view reason;
  std::string_view line;

  [[nodiscard]] bool has_other_length() const {
    return length && std::abs(*length - (stop - start)) > kClockHour;
  }
  [[nodiscard]] bool affects(std::string_view what) const {
    return affected.find(what) != std::string_view::npos;
  }
  /// Returns true if machines were out of service; an incident of storage or of nothing (n/a) affects none.
  [[nodiscard]] bool takes_machines() const {
    return affects("*") || affects("jobs") || affects("compute");
  }
  [[nodiscard]] bool is_partial() const {
    return severity.find("partial") != std::string_view::npos;
  }
};

/// Hands on the incidents, and returns what the comments before them say.
Result<LogNotes> each_incident(TraceText text, const std::function<void(const Incident&)>& take) {
  HOLDFAST_TRY(rows, TableRows::open_site(std::move(text), kIncidentTable, kIncidentColumns));
  HOLDFAST_CHECK(rows.each([&]() -> Status {
    Incident incident{.length = duration_in(rows.text(IncidentAt::length)),
                      .severity = rows.text(IncidentAt::severity),
                      .affected = rows.text(IncidentAt::affected),
                      .reason = rows.text(IncidentAt::reason),
                      .line = rows.line()};
    HOLDFAST_TRY(start, rows.known_time(IncidentAt::start));
    incident.start = start;
    HOLDFAST_TRY(stop, rows.time(IncidentAt::stop));
    if (stop) incident.stop = stop->seconds;
    take(incident);
    return {};
  }));
  return LogNotes::of(rows.comments());
}

constexpr const char* kOtherLength =
    "lengths that disagree with stop minus start by more than an hour";

Result<FailureLog> read_wynton_incidents(TraceText lines, std::optional<std::string> system) {
  FailureLogBuilder builder{std::move(system)};
  std::int64_t other_length = 0, planned = 0, partial = 0;
  HOLDFAST_TRY(notes, each_incident(std::move(lines), [&](const Incident& incident) {
                 if (incident.has_other_length()) ++other_length;
                 if (incident.reason == "scheduled") ++planned;
                 if (!incident.affects("*")) ++partial;
                 builder.add({.system = "",
                              .node = "cluster",
                              .down = incident.start,
                              .up = incident.stop,
                              .line = incident.line});
               }));
  HOLDFAST_TRY(log, notes.finish(builder, "wynton-incidents", 60, true));
  log.oddities.add(kOtherLength, other_length, "the two times are used");
  log.oddities.add("incidents that were scheduled", planned,
                   "kept: the cluster was out of service");
  log.oddities.add("incidents that did not affect all (*)", partial,
                   "kept as outages of the cluster");
  return log;
}

/// Returns the share of Wynton that was in service. An incident that affects jobs, computers or everything (*) takes all machines
/// out of service; a partial one half of them, because the file does not say how many. If the stated length differs from the time
/// between start and stop, the shorter one counts.

Result<CapacitySeries> read_wynton_service(LineReader lines) {
  constexpr double kPartial = 0.5;
  ServiceShare share{1};
  std::int64_t reversed = 0, elsewhere = 0, other_length = 0, partial = 0;
  HOLDFAST_CHECK(each_incident(std::move(lines), [&](const Incident& incident) {
    if (incident.stop < incident.start) {
      ++reversed;
      return;
    }
    if (!incident.takes_machines()) {
      ++elsewhere;
      return;
    }
    double length = incident.stop - incident.start;
    if (incident.has_other_length()) {
      ++other_length;
      length = std::min(length, *incident.length);
    }
    if (incident.is_partial()) ++partial;
    share.out(incident.start, incident.start + length, incident.is_partial() ? kPartial : 1);
  }));
  HOLDFAST_TRY(series, std::move(share).finish());
  series.is_dated = true;
  series.oddities.add("incidents that end before they start", reversed, "left out");
  series.oddities.add("incidents that affect neither jobs nor computers", elsewhere, "left out");
  series.oddities.add(kOtherLength, other_length, "the shorter one is used");
  series.oddities.add("partial outages", partial,
                      "half of the cluster is out: the file does not say how much");
  return series;
}

}  // namespace

FormatOf<FailureLog> wynton_incidents_format() {
  return {.facts = {.name = "wynton-incidents",
                    .summary = "incidents of the cluster Wynton (CSV)",
                    .columns = kIncidentColumns},
          .read = read_wynton_incidents,
          .read_service = read_wynton_service};
}

}  // namespace holdfast
