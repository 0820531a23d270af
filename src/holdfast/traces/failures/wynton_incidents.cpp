#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/capacity/service_share.hpp"
#include "holdfast/traces/failures/site_logs.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace holdfast {
namespace {

constexpr auto kIncidentColumns =
    std::to_array<std::string_view>({"start", "stop", "length", "severity", "affected", "reason"});

/// Returns a length such as "1.5 hours" in seconds; nothing for any other text.
std::optional<double> length_of(std::string_view text) {
  const std::size_t blank = text.find(' ');
  const auto number = parse_quantity(text.substr(0, blank), Unit::none);
  if (!number || blank == std::string_view::npos) return std::nullopt;
  const std::string_view unit = trim(text.substr(blank));
  if (unit.starts_with("hour")) return *number * kClockHour;
  if (unit.starts_with("minute")) return *number * 60;
  if (unit.starts_with("day")) return *number * 24 * kClockHour;
  return std::nullopt;
}

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

Status each_incident(LineReader lines, const std::function<void(const Incident&)>& take) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines)));
  HOLDFAST_TRY(at, rows.columns(kIncidentColumns));
  for (;;) {
    HOLDFAST_TRY(more, rows.next());
    if (!more) return {};
    const auto time = [&](std::size_t column) -> Result<double> {
      const auto instant = parse_instant(trim(rows[column]));
      if (instant && instant->is_date) return instant->seconds;
      return fail(ErrorCode::bad_value, rows.place(column),
                  fmt::format("found {}, expected a date", in_quotes(rows[column])));
    };
    Incident incident{.length = length_of(trim(rows[at[2]])),
                      .severity = rows[at[3]],
                      .affected = rows[at[4]],
                      .reason = trim(rows[at[5]]),
                      .line = rows.line()};
    HOLDFAST_TRY(start, time(at[0]));
    incident.start = start;
    if (!trim(rows[at[1]]).empty()) {
      HOLDFAST_TRY(stop, time(at[1]));
      incident.stop = stop;
    }
    take(incident);
  }
}

constexpr const char* kOtherLength =
    "lengths that disagree with stop minus start by more than an hour";

}  // namespace

Result<FailureLog> read_wynton_incidents(LineReader lines, std::optional<std::string> system) {
  FailureLogBuilder builder{std::move(system)};
  std::int64_t other_length = 0, planned = 0, partial = 0;
  HOLDFAST_CHECK(each_incident(std::move(lines), [&](const Incident& incident) {
    if (incident.has_other_length()) ++other_length;
    if (incident.reason == "scheduled") ++planned;
    if (!incident.affects("*")) ++partial;
    builder.add({.system = "",
                 .node = "cluster",
                 .down = incident.start,
                 .up = incident.stop,
                 .line = incident.line});
  }));
  HOLDFAST_TRY(log, builder.finish("wynton-incidents", 60, true));
  log.oddities.add(kOtherLength, other_length, "the two times are used");
  log.oddities.add("incidents that were scheduled", planned,
                   "kept: the cluster was out of service");
  log.oddities.add("incidents that did not affect all (*)", partial,
                   "kept as outages of the cluster");
  return log;
}

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

bool looks_like_wynton_incidents(std::string_view head) {
  return csv_header_has(head, kIncidentColumns);
}

FormatOf<FailureLog> wynton_incidents_format() {
  return {.facts = {.name = "wynton-incidents",
                    .summary = "incidents of the cluster Wynton (CSV)",
                    .recognise = looks_like_wynton_incidents},
          .read = read_wynton_incidents,
          .read_service = read_wynton_service};
}

}  // namespace holdfast
