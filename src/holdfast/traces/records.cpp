#include "holdfast/traces/records.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/traces/availability/outage_history.hpp"
#include "holdfast/traces/failures/lifetimes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

template <class Record>
Result<TraceRecords> wrapped(Result<Record> read) {
  if (!read) return fail(std::move(read).error());
  return TraceRecords(std::move(*read));
}

const Oddities& oddities_of_record(const auto& record) {
  return record.oddities;
}
const Oddities& oddities_of_record(const JobLog& log) {
  return log.facts.oddities;
}
template <class One>
const Oddities& oddities_of_record(const std::vector<One>&) {  // every element has its own
  static const Oddities kNone;
  return kNone;
}

std::string_view name_of_plain(const Format& format) {
  return std::visit([]<class Record>(const FormatOf<Record>&) { return KindOf<Record>::kPlain; },
                    format.of);
}

std::string_view name_of_records(const TraceRecords& records) {
  return std::visit([]<class Record>(const Record&) { return KindOf<Record>::kRecords; }, records);
}

/// Returns true if some format of the same kind can be written.
bool is_kind_written(const Format& format) {
  return std::ranges::any_of(formats(), [&](const Format& other) {
    return other.of.index() == format.of.index() && is_writable(other);
  });
}

}  // namespace

Result<TraceRecords> read_records(OpenTrace trace, const RecordsQuestion& question) {
  const Format& format = *trace.format;
  HOLDFAST_CHECK(check_columns(format, question.series));
  if (!is_kind_written(format)) {
    return fail(ErrorCode::bad_format, trace.lines.name(),
                fmt::format("found {}, expected a kind that can be written", format.summary));
  }
  return std::visit(
      [&](const auto& of) { return wrapped(of.read_all(std::move(trace.lines), question)); },
      format.of);
}

const Oddities& oddities_in(const TraceRecords& records) {
  return std::visit(
      [](const auto& record) -> const Oddities& { return oddities_of_record(record); }, records);
}

bool is_writable(const Format& format) {
  return std::visit([](const auto& of) { return of.write != nullptr; }, format.of);
}

const Format& plain_format(const TraceRecords& records) {
  const auto* series = std::get_if<CapacitySeries>(&records);
  const bool is_dated = series != nullptr && series->is_dated;
  const std::string_view name =
      is_dated
          ? "series-csv"
          : std::visit([]<class Record>(const Record&) { return KindOf<Record>::kPlain; }, records);
  const auto row = std::ranges::find(formats(), name, &Format::name);
  return row == formats().end() ? formats().front() : *row;
}

Result<const Format*> writable_format(std::string_view name, const TraceRecords& records) {
  if (name == "csv" && std::holds_alternative<WorkflowRun>(records)) {
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
                              name_of_plain(format)));
    }
    if (format.name == name) return &format;
    names.push_back(format.name);
  }
  return fail(ErrorCode::unknown_name, "",
              fmt::format("found no format {}, {}", in_quotes(name), suggestion(name, names)));
}

Result<TraceRecords> as_kind_of(const Format& format, TraceRecords records, Oddities& lost) {
  if (format.of.index() == records.index()) return records;
  if (const auto* log = std::get_if<FailureLog>(&records)) {
    if (format.as<AvailabilityRecord>() != nullptr) return wrapped(availability_of(*log, lost));
    if (format.as<LifetimeTable>() != nullptr) {
      HOLDFAST_TRY(lives, lifetimes_of(*log));
      for (const Oddity& o : lives.oddities.list()) lost.add(o.what, o.count, o.action);
      return TraceRecords(LifetimeTable{std::move(lives.lifetimes), {}});
    }
  }
  if (const auto* record = std::get_if<AvailabilityRecord>(&records)) {
    if (format.as<FailureLog>() != nullptr) return wrapped(failures_of(*record, lost));
  }
  const std::string_view wanted = std::visit(
      []<class Record>(const FormatOf<Record>&) { return KindOf<Record>::kRecords; }, format.of);
  return fail(
      ErrorCode::usage, "",
      fmt::format("found a format of {}, but the file holds {}", wanted, name_of_records(records)));
}

Result<Oddities> write_records(const TraceRecords& records, const Format& format,
                               const TextSink& sink) {
  return std::visit(
      [&]<class Record>(const Record& record) { return format.as<Record>()->write(record, sink); },
      records);
}

Result<TraceRecords> sliced(TraceRecords records, const SliceQuestion& question) {
  return std::visit(
      [&](auto&& record) {
        return wrapped(sliced(std::forward<decltype(record)>(record), question));
      },
      std::move(records));
}

}  // namespace holdfast
