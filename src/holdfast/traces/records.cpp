#include "holdfast/traces/records.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/traces/availability/outage_history.hpp"
#include "holdfast/traces/failures/lifetimes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace holdfast {
namespace {

/// In the order of TraceRecords.
constexpr auto kKinds =
    std::to_array<Holds>({Holds::failures, Holds::lifetimes, Holds::workflow, Holds::jobs,
                          Holds::capacity, Holds::availability, Holds::speedup, Holds::machines});
static_assert(kKinds.size() == std::variant_size_v<TraceRecords>);

Result<JobLog> read_jobs(OpenTrace trace) {
  JobLog log;
  HOLDFAST_TRY(facts, trace.format->read_jobs(std::move(trace.lines), [&](const LoggedJob& job) {
    log.jobs.push_back(job);
  }));
  log.facts = std::move(facts);
  return log;
}

template <class T>
Result<TraceRecords> wrapped(Result<T> read) {
  if (!read) return fail(std::move(read).error());
  return TraceRecords(std::move(*read));
}

}  // namespace

Result<TraceRecords> read_records(OpenTrace trace, const RecordsQuestion& question) {
  const Format& format = *trace.format;
  HOLDFAST_CHECK(check_columns(format, question.series));
  switch (format.holds) {
    case Holds::failures:
      return wrapped(format.read_failures(std::move(trace.lines), question.system));
    case Holds::lifetimes:
      return wrapped(format.read_lifetimes(std::move(trace.lines)));
    case Holds::workflow:
      return wrapped(format.read_workflow(std::move(trace.lines)));
    case Holds::jobs:
      return wrapped(read_jobs(std::move(trace)));
    case Holds::capacity:
      return wrapped(format.read_capacity(std::move(trace.lines), question.series));
    case Holds::availability:
      return wrapped(format.read_availability(std::move(trace.lines), {}));
    case Holds::speedup:
      return wrapped(format.read_speedup(std::move(trace.lines)));
    case Holds::machines:
      return wrapped(format.read_machines(std::move(trace.lines)));
    case Holds::io:
      break;
  }
  return fail(ErrorCode::bad_format, trace.lines.name(),
              fmt::format("found {}, expected a kind that can be written", format.summary));
}

const Oddities& oddities_in(const TraceRecords& records) {
  static const Oddities kNone;
  struct Visitor {
    const Oddities& operator()(const FailureLog& log) const { return log.oddities; }
    const Oddities& operator()(const LifetimeTable& table) const { return table.oddities; }
    const Oddities& operator()(const WorkflowRun& run) const { return run.oddities; }
    const Oddities& operator()(const JobLog& log) const { return log.facts.oddities; }
    const Oddities& operator()(const CapacitySeries& series) const { return series.oddities; }
    const Oddities& operator()(const AvailabilityRecord& record) const { return record.oddities; }
    const Oddities& operator()(const std::vector<SpeedupRuns>&) const { return kNone; }
    const Oddities& operator()(const MachineTable& table) const { return table.oddities; }
  };
  return std::visit(Visitor{}, records);
}

Holds kind_of(const TraceRecords& records) {
  return kKinds[records.index()];
}

bool is_writable(const Format& f) {
  return f.write_failures != nullptr || f.write_lifetimes != nullptr ||
         f.write_workflow != nullptr || f.write_jobs != nullptr || f.write_capacity != nullptr ||
         f.write_availability != nullptr || f.write_speedup != nullptr ||
         f.write_machines != nullptr;
}

namespace {

std::string_view plain_name(Holds kind) {
  switch (kind) {
    case Holds::failures:
      return "failures-csv";
    case Holds::lifetimes:
      return "lifetimes-csv";
    case Holds::workflow:
      return "wfformat";
    case Holds::jobs:
      return "jobs-csv";
    case Holds::capacity:
      return "capacity-csv";
    case Holds::availability:
      return "state-events";
    case Holds::speedup:
      return "speedup-table";
    case Holds::machines:
      return "machines-csv";
    case Holds::io:
      return "csv";
  }
  return {};
}

const Format& row_of(std::string_view name) {
  for (const Format& format : formats()) {
    if (format.name == name) return format;
  }
  return formats().front();
}

}  // namespace

const Format& plain_format(const TraceRecords& records) {
  const auto* series = std::get_if<CapacitySeries>(&records);
  const bool is_dated = series != nullptr && series->is_dated;
  return row_of(is_dated ? "series-csv" : plain_name(kind_of(records)));
}

Result<const Format*> writable_format(std::string_view name, const TraceRecords& records) {
  if (name == "csv" && kind_of(records) == Holds::workflow) {
    return fail(ErrorCode::usage, "",
                "found csv, but a workflow has no plain table; write wfformat instead");
  }
  if (name == "csv") return &plain_format(records);
  std::vector<std::string_view> names = {"csv"};
  for (const Format& format : formats()) {
    if (!is_writable(format)) {
      if (format.name != name) continue;
      return fail(ErrorCode::usage, "",
                  fmt::format("found {}, which is read but not written; write {} instead", name,
                              plain_name(format.holds)));
    }
    if (format.name == name) return &format;
    names.push_back(format.name);
  }
  return fail(ErrorCode::unknown_name, "",
              fmt::format("found no format {}, {}", in_quotes(name), suggestion(name, names)));
}

Result<TraceRecords> as_kind(TraceRecords records, Holds kind, Oddities& lost) {
  if (kind_of(records) == kind) return records;
  if (const auto* log = std::get_if<FailureLog>(&records)) {
    if (kind == Holds::availability) return wrapped(availability_of(*log, lost));
    if (kind == Holds::lifetimes) {
      HOLDFAST_TRY(lives, lifetimes_of(*log));
      for (const Oddity& o : lives.oddities.list()) lost.add(o.what, o.count, o.action);
      return TraceRecords(LifetimeTable{std::move(lives.lifetimes), {}});
    }
  }
  if (const auto* record = std::get_if<AvailabilityRecord>(&records)) {
    if (kind == Holds::failures) return wrapped(failures_of(*record, lost));
  }
  constexpr auto kNames =
      std::to_array<std::string_view>({"failures", "lifetimes", "a workflow", "jobs", "capacity",
                                       "availability", "run times", "machines"});
  const auto name_of = [&](Holds one) {
    return kNames[static_cast<std::size_t>(std::ranges::find(kKinds, one) - kKinds.begin())];
  };
  return fail(ErrorCode::usage, "",
              fmt::format("found a format of {}, but the file holds {}", name_of(kind),
                          name_of(kind_of(records))));
}

Result<Oddities> write_records(const TraceRecords& records, const Format& format,
                               const TextSink& sink) {
  struct Visitor {
    const Format& to;
    const TextSink& sink;
    Result<Oddities> operator()(const FailureLog& log) const {
      return to.write_failures(log, sink);
    }
    Result<Oddities> operator()(const LifetimeTable& t) const {
      return to.write_lifetimes(t, sink);
    }
    Result<Oddities> operator()(const WorkflowRun& run) const {
      return to.write_workflow(run, sink);
    }
    Result<Oddities> operator()(const JobLog& log) const { return to.write_jobs(log, sink); }
    Result<Oddities> operator()(const CapacitySeries& s) const {
      return to.write_capacity(s, sink);
    }
    Result<Oddities> operator()(const AvailabilityRecord& r) const {
      return to.write_availability(r, sink);
    }
    Result<Oddities> operator()(const std::vector<SpeedupRuns>& runs) const {
      return to.write_speedup(runs, sink);
    }
    Result<Oddities> operator()(const MachineTable& t) const { return to.write_machines(t, sink); }
  };
  return std::visit(Visitor{format, sink}, records);
}

}  // namespace holdfast
