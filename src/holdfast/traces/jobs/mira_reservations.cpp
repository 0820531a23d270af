#include "holdfast/traces/jobs/mira_reservations.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/capacity/service_share.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kFieldCount = 16;
enum Field : std::size_t {
  kStart = 0,
  kEnd = 1,
  kName = 2,
  kReservationId = 7,
  kSeconds = 8,
  kRequested = 9,
  kNodes = 10
};
constexpr double kMostNodes = 1e9;
constexpr double kNodesOfMira = 49152;

bool is_date(std::string_view text) {
  const auto instant = parse_instant(trim(text));
  return instant && instant->is_date;
}

/// A function that takes the reservations one by one, each with its name.
using ReservationSink = std::function<void(const LoggedJob&, std::string_view name)>;

Result<JobLogFacts> each_reservation(LineReader lines, const ReservationSink& sink) {
  JobLogFacts facts;
  std::int64_t disordered = 0, other_length = 0, overran = 0;
  double latest = 0;
  std::vector<std::string_view> fields;
  std::string storage;
  std::string_view line;
  const auto number = [&](std::size_t i) -> Result<double> {
    const auto value = parse_quantity(trim(fields[i]), Unit::none);
    if (value && *value >= 0) return *value;
    return fail(ErrorCode::bad_value, fmt::format("{}: column {}", lines.place(), i + 1),
                fmt::format("found {}, expected a number of 0 or more", in_quotes(fields[i])));
  };
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    if (trim(line).empty()) continue;
    if (auto status = split_csv(line, fields, storage); !status) {
      return fail(in_file(lines.place(), std::move(status).error()));
    }
    if (fields.size() != kFieldCount || !is_date(fields[kStart]) || !is_date(fields[kEnd])) {
      return fail(ErrorCode::bad_format, lines.place(),
                  fmt::format("found {} fields, expected {} that begin with two dates",
                              fields.size(), kFieldCount));
    }
    const double start = parse_instant(trim(fields[kStart]))->seconds;
    const double end = parse_instant(trim(fields[kEnd]))->seconds;
    HOLDFAST_TRY(id, number(kReservationId));
    HOLDFAST_TRY(seconds, number(kSeconds));
    HOLDFAST_TRY(requested, number(kRequested));
    HOLDFAST_TRY(nodes, number(kNodes));
    if (id > kMostNodes || nodes > kMostNodes) {
      return fail(ErrorCode::bad_value, lines.place(), "found more than 1e9 nodes or reservations");
    }
    LoggedJob job;
    job.number = static_cast<std::int64_t>(id);
    job.submit = start;
    job.wait = 0;
    job.run = seconds;
    job.processors = static_cast<std::int64_t>(nodes);
    job.requested_time = requested;
    if (facts.jobs > 0 && start < latest) ++disordered;
    latest = start;
    if (std::abs(end - start - seconds) > kClockHour) ++other_length;
    if (requested > 0 && seconds > requested) ++overran;
    ++facts.jobs;
    sink(job, trim(fields[kName]));
  }
  if (facts.jobs == 0) {
    return fail(ErrorCode::bad_format, lines.place(),
                "found no reservation, expected at least one");
  }
  facts.has_own_clock = true;
  facts.oddities.add("jobs submitted before the one above", disordered,
                     "kept in the order of the file");
  facts.oddities.add("lengths that disagree with end minus start by more than an hour",
                     other_length, "the length is used");
  facts.oddities.add("jobs that ran longer than requested", overran, "kept: the site allowed it");
  return facts;
}

}  // namespace

Result<JobLogFacts> read_mira_reservations(LineReader lines, const JobSink& sink) {
  return each_reservation(std::move(lines),
                          [&](const LoggedJob& job, std::string_view) { sink(job); });
}

Result<CapacitySeries> read_mira_service(LineReader lines) {
  ServiceShare share{kNodesOfMira};
  std::int64_t others = 0;
  HOLDFAST_TRY(
      facts, each_reservation(std::move(lines), [&](const LoggedJob& drain, std::string_view name) {
        if (!name.starts_with("R.hw")) {
          ++others;
          return;
        }
        share.out(drain.submit, drain.submit + drain.run, static_cast<double>(drain.processors));
      }));
  HOLDFAST_TRY(series, std::move(share).finish());
  series.is_dated = true;
  series.oddities = std::move(facts.oddities);
  series.oddities.add("reservations for other ends than hardware (R.hw)", others,
                      "left out: their nodes were in service");
  return series;
}

bool looks_like_mira_reservations(std::string_view head) {
  std::vector<std::string_view> fields;
  std::string storage;
  if (!split_csv(trim(head.substr(0, head.find('\n'))), fields, storage)) return false;
  return fields.size() == kFieldCount && is_date(fields[kStart]) && is_date(fields[kEnd]);
}

FormatOf<JobLog> mira_reservations_format() {
  return {.facts = {.name = "mira-reservations",
                    .summary = "reservations of Mira (CSV, 16 columns without a header)",
                    .recognise = looks_like_mira_reservations},
          .read = read_mira_reservations,
          .read_service = read_mira_service};
}

}  // namespace holdfast
