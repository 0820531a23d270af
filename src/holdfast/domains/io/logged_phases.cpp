#include "holdfast/domains/io/logged_phases.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace holdfast::io {
namespace {

// Operations of all ranks that belong together.
struct Burst {
  double start = 0;
  double end = 0;
  double bytes = 0;
  double busy = 0;  // seconds in which at least one operation ran
};

std::vector<Burst> bursts_of(const IoLog& log, double gap) {
  std::vector<Burst> bursts;
  for (const IoOperation& one : log.operations) {
    if (bursts.empty() || one.start - bursts.back().end >= gap) {
      bursts.push_back({one.start, one.end, one.bytes, one.end - one.start});
      continue;
    }
    Burst& last = bursts.back();
    last.busy += std::max(0.0, one.end - std::max(one.start, last.end));
    last.end = std::max(last.end, one.end);
    last.bytes += one.bytes;
  }
  return bursts;
}

// Pauses inside an operation, in which no rank moved a byte, are work too: they are added after it, so that the phases
// take as long as the run did.
LoggedPhases dated_phases(const IoLog& log, double gap) {
  LoggedPhases out;
  double bytes = 0, busy = 0, at = 0, pauses = 0;
  const auto work_until = [&](double date) {
    const double work = std::max(0.0, date - at) + pauses;
    if (work > 0) out.phases.push_back({Phase::Kind::work, work});
  };
  for (const Burst& burst : bursts_of(log, gap)) {
    work_until(burst.start);
    out.phases.push_back({Phase::Kind::io, burst.bytes});
    at = burst.end;
    pauses = burst.end - burst.start - burst.busy;
    if (pauses < 1e-12 * burst.end) pauses = 0;  // rounding error of a sum
    bytes += burst.bytes;
    busy += burst.busy;
  }
  work_until(log.duration);
  out.bandwidth = bytes / busy;
  return out;
}

// Read, work, write: with or without knowing the time that each of them took.
LoggedPhases totals(const IoLog& log, double work) {
  LoggedPhases out;
  double bytes = 0, busy = 0;
  const auto move = [&](bool writes) {
    double sum = 0;
    for (const IoOperation& one : log.operations) {
      if (one.is_write != writes) continue;
      sum += one.bytes;
      busy += one.end - one.start;
    }
    if (sum > 0) out.phases.push_back({Phase::Kind::io, sum});
    bytes += sum;
  };
  move(false);
  if (work > 0) out.phases.push_back({Phase::Kind::work, work});
  move(true);
  out.bandwidth = bytes / busy;
  return out;
}

}  // namespace

Result<LogReading> read_log_reading(const Value& value, const std::string& where) {
  LogReading out;
  if (value.string() != nullptr) {
    out.file = *value.string();
    return out;
  }
  ObjectReader read(value, where);
  out.file = read.text("file");
  out.run = read.text_or("run", "");
  out.gap = read.seconds_or("gap", out.gap, non_negative());
  out.work = read.optional_quantity("work", Unit::seconds, non_negative());
  HOLDFAST_CHECK(read.finish());
  return out;
}

Result<LoggedPhases> phases_of(const IoLog& log, const LogReading& reading) {
  double moved = 0;
  for (const IoOperation& one : log.operations) moved += one.end - one.start;
  // A log of totals that says how long the run was shows how long it worked.
  const double rest = log.duration - moved;
  const auto work =
      reading.work || !(rest > 1e-9 * log.duration) ? reading.work : std::optional(rest);
  if (!log.has_dates && !work) {
    return fail(ErrorCode::bad_value, "work",
                fmt::format("missing: {} has totals without dates, which do not show how long a "
                            "run works",
                            in_quotes(reading.file)));
  }
  LoggedPhases out = log.has_dates ? dated_phases(log, reading.gap) : totals(log, *work);
  out.name = log.name;
  out.processes = static_cast<double>(std::max<std::int64_t>(log.processes, 1));
  if (!std::isfinite(out.bandwidth)) {
    return fail(ErrorCode::bad_value, "file",
                fmt::format("found operations that took no time in {}: no bandwidth follows",
                            in_quotes(reading.file)));
  }
  return out;
}

Result<std::vector<LoggedPhases>> load_phases(const LogReading& reading,
                                              const std::filesystem::path& directory) {
  const std::filesystem::path path = (directory / reading.file).lexically_normal();
  HOLDFAST_TRY(logs, read_io_logs(path));
  std::vector<LoggedPhases> out;
  std::vector<std::string_view> names;
  for (const IoLog& log : logs) {
    names.push_back(log.name);
    if (!reading.run.empty() && log.name != reading.run) continue;
    HOLDFAST_TRY(phases, phases_of(log, reading));
    out.push_back(std::move(phases));
  }
  if (out.empty()) {
    return fail(ErrorCode::unknown_name, "run",
                fmt::format("found no run {} in {}; {}", in_quotes(reading.run),
                            in_quotes(path.string()), suggestion(reading.run, names)));
  }
  return out;
}

Result<Instance> instance_of(const std::vector<LoggedPhases>& runs, double bandwidth) {
  Instance instance{.bandwidth = bandwidth, .begin = 0, .end = 0};
  if (bandwidth <= 0) {
    for (const LoggedPhases& run : runs) {
      instance.bandwidth = std::max(instance.bandwidth, run.bandwidth);
    }
  }
  double shortest = std::numeric_limits<double>::infinity();
  for (const LoggedPhases& run : runs) {
    Application application{
        .id = run.name.empty() ? std::to_string(instance.applications.size()) : run.name,
        .nodes = run.processes,
        .bandwidth = std::min(run.bandwidth, instance.bandwidth),
        .phases = run.phases};
    double total = 0;
    for (const Phase& phase : application.phases) {
      total += phase.kind == Phase::Kind::io ? phase.amount / application.bandwidth : phase.amount;
    }
    shortest = std::min(shortest, total);
    instance.applications.push_back(std::move(application));
  }
  instance.end = shortest;
  HOLDFAST_CHECK(check(instance));
  return instance;
}

}  // namespace holdfast::io
