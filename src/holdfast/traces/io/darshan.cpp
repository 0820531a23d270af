#include "holdfast/traces/io/darshan.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/table_rows.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace holdfast {
namespace {

constexpr std::string_view kDxtTable = "file,rank,module,op,";
constexpr std::string_view kNoDxt = "# no DXT module data";
constexpr double kMostProcesses = 1e9;

Result<double> read_number(std::string_view text, std::string_view what, const std::string& place) {
  const auto value = parse_quantity(trim(text), Unit::none);
  if (!value || !(*value >= 0) || !std::isfinite(*value)) {
    return fail(
        ErrorCode::bad_format, place,
        fmt::format("{}: found {}, expected a number of at least 0", what, in_quotes(trim(text))));
  }
  return *value;
}

// The records of one file while they are read.
class Records {
 public:
  // @param fields  module, rank, op, length, start, end
  Status add(const std::array<std::string_view, 6>& fields, const std::string& place) {
    HOLDFAST_TRY(rank, read_number(fields[1], "rank", place));
    HOLDFAST_TRY(bytes, read_number(fields[3], "length", place));
    HOLDFAST_TRY(start, read_number(fields[4], "start", place));
    HOLDFAST_TRY(end, read_number(fields[5], "end", place));
    if (fields[2] != "write" && fields[2] != "read") {
      return fail(
          ErrorCode::bad_format, place,
          fmt::format("found the operation {}, expected 'read' or 'write'", in_quotes(fields[2])));
    }
    if (end < start || rank > kMostProcesses) {
      return fail(ErrorCode::bad_format, place,
                  end < start ? fmt::format("found an end at {} s before the start at {} s",
                                            fields[5], fields[4])
                              : fmt::format("found the rank {}", fields[1]));
    }
    if (bytes == 0) {
      ++empty_;
      return {};
    }
    const bool is_posix = fields[0].find("POSIX") != std::string_view::npos;
    auto& list = is_posix ? posix_ : others_;
    list.push_back({static_cast<std::int64_t>(rank), fields[2] == "write", bytes, start, end});
    return {};
  }
  Status add_comment(std::string_view line, const std::string& place) {
    if (line.find("contains incomplete data") != std::string_view::npos) ++incomplete_;
    return read_darshan_note(line, place, log_);
  }
  [[nodiscard]] bool is_empty() const { return posix_.empty() && others_.empty() && empty_ == 0; }

  IoLog finish() {
    const bool both = !posix_.empty() && !others_.empty();
    log_.oddities.add("operations of MPI-IO in addition to their POSIX calls",
                      both ? std::ssize(others_) : 0, "left out: they move the same bytes");
    log_.oddities.add("operations of no byte", empty_, "left out");
    log_.oddities.add("modules with incomplete data", incomplete_,
                      "kept: the run moved more than the log says");
    std::vector<IoOperation>& operations = posix_.empty() ? others_ : posix_;
    const auto by_start = [](const IoOperation& a, const IoOperation& b) {
      return a.start < b.start;
    };
    std::int64_t steps_back = 0;
    for (std::size_t i = 1; i < operations.size(); ++i) {
      if (by_start(operations[i], operations[i - 1])) ++steps_back;
    }
    log_.oddities.add("operations that began before the one above", steps_back,
                      "put in order of start");
    std::stable_sort(operations.begin(), operations.end(), by_start);
    for (const IoOperation& one : operations) {
      log_.duration = std::max(log_.duration, one.end);
      log_.processes = std::max(log_.processes, one.rank + 1);
    }
    log_.operations = std::move(operations);
    return std::move(log_);
  }

 private:
  std::vector<IoOperation> posix_, others_;
  std::int64_t empty_ = 0;
  std::int64_t incomplete_ = 0;
  IoLog log_;
};

// Returns the fields that are used, from a line of the parser's output or of a table.
Result<std::array<std::string_view, 6>> fields_of(std::string_view line, bool is_table,
                                                  std::vector<std::string_view>& buffer,
                                                  std::string& storage) {
  if (is_table) {
    HOLDFAST_CHECK(split_csv(line, buffer, storage));
  } else {
    buffer = words_of(line);
  }
  const std::size_t needed = is_table ? 9 : 8;
  if (buffer.size() < needed) {
    return fail(ErrorCode::bad_format, "",
                fmt::format("found {} fields, expected {}", buffer.size(), needed));
  }
  if (is_table) return std::array{buffer[2], buffer[1], buffer[3], buffer[6], buffer[7], buffer[8]};
  return std::array{buffer[0], buffer[1], buffer[2], buffer[5], buffer[6], buffer[7]};
}

}  // namespace

bool is_start_of_darshan_log(std::string_view line) {
  return line.starts_with("# darshan log version");
}

Status read_darshan_note(std::string_view line, const std::string& place, IoLog& log) {
  const auto after = [line](std::string_view name) -> std::optional<std::string_view> {
    const auto at = line.find(name);
    if (at == std::string_view::npos) return std::nullopt;
    return trim(line.substr(at + name.size()));
  };
  if (const auto text = after("# nprocs:")) {
    HOLDFAST_TRY(number, read_number(*text, "nprocs", place));
    log.processes = static_cast<std::int64_t>(std::min(number, kMostProcesses));
  } else if (const auto time = after("# run time:")) {
    HOLDFAST_TRY(number, read_number(*time, "run time", place));
    log.duration = number;
  } else if (const auto job = after("# jobid:")) {
    log.name = *job;
  }
  return {};
}

bool looks_like_darshan_dxt(std::string_view head) {
  for (const std::string_view line : split(head.substr(0, 4096), '\n')) {
    if (line.starts_with(kDxtTable) || line.starts_with("# DXT,") || line.starts_with(kNoDxt))
      return true;
    if (!line.starts_with('#') && !trim(line).empty()) return false;
  }
  return false;
}

Result<IoLogs> read_darshan_dxt(LineReader lines) {
  std::vector<Records> runs(1);
  bool is_table = false;
  std::string_view line;
  std::vector<std::string_view> buffer;
  std::string storage;
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    if (trim(line).empty()) continue;
    if (is_start_of_darshan_log(line) && !runs.back().is_empty()) runs.emplace_back();
    if (line.starts_with(kNoDxt) && runs.size() == 1) {
      return fail(ErrorCode::bad_format, lines.place(),
                  "found a Darshan log without operations (the run did not set "
                  "DXT_ENABLE_IO_TRACE), expected some: darshan-parser prints its totals");
    }
    if (line.starts_with('#')) {
      HOLDFAST_CHECK(runs.back().add_comment(line, lines.place()));
    } else if (line.starts_with(kDxtTable)) {
      is_table = true;
    } else {
      const auto fields = fields_of(line, is_table, buffer, storage);
      if (!fields) return fail(fields.error().code, lines.place(), fields.error().message);
      HOLDFAST_CHECK(runs.back().add(*fields, lines.place()));
    }
  }
  IoLogs logs;
  for (Records& run : runs) {
    logs.push_back(run.finish());
    if (logs.back().operations.empty()) logs.pop_back();
  }
  if (logs.empty()) {
    return fail(ErrorCode::bad_format, lines.place(), "found no operation that moves a byte");
  }
  if (logs.size() == 1) logs.front().name.clear();
  return logs;
}

namespace {

struct TotalsAt {
  enum : std::size_t { run, component, read, read_time, written, write_time };
};
constexpr auto kTotalsFields = std::to_array<TableField>({
    {.name = "run", .synonyms = "job jobid name id program"},
    {.name = "component"},
    {.name = "bytes_read",
     .is = CellKind::number,
     .synonyms = "readbytes totalbytesread",
     .need = 1},
    {.name = "read_time_s", .is = CellKind::duration, .synonyms = "readtime timeread", .need = 3},
    {.name = "bytes_written",
     .is = CellKind::number,
     .synonyms = "writtenbytes writebytes byteswrite totalbyteswritten",
     .need = 2},
    {.name = "write_time_s",
     .is = CellKind::duration,
     .synonyms = "writetime timewritten",
     .need = 3},
});
constexpr TableKind kTotalsTable = {.records = "totals of runs", .fields = kTotalsFields};

/// Reads totals. There is one log per run, made from its row ALL or, if it has none, from the sum of its components.
Result<IoLogs> read_io_totals(TraceText text) {
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kTotalsTable));
  struct Totals {
    std::string run;
    std::array<double, 4> all{}, components{};  // in the order of the columns
    bool has_all = false;
    std::int64_t summaries = 0, parts = 0;
  };
  std::vector<Totals> runs;
  HOLDFAST_CHECK(rows.each([&]() -> Status {
    const bool is_alone = !rows.has(TotalsAt::component);
    if (runs.empty() || is_alone || runs.back().run != rows.text(TotalsAt::run)) {
      runs.push_back({.run = std::string(rows.text(TotalsAt::run))});
    }
    Totals& run = runs.back();
    const bool is_all = rows.text(TotalsAt::component) == "ALL";
    run.has_all = run.has_all || is_all;
    ++(is_all ? run.summaries : run.parts);
    for (std::size_t k = 0; k < 4; ++k) {
      HOLDFAST_TRY(value, rows.value(TotalsAt::read + k));
      if (value && *value < 0) {
        return fail(ErrorCode::bad_value, rows.place(TotalsAt::read + k),
                    fmt::format("found {}, expected a number of at least 0", *value));
      }
      (is_all ? run.all : run.components)[k] += value.value_or(0);  // empty: there is no count
    }
    return {};
  }));
  std::vector<IoLog> logs;
  std::int64_t summed = 0, parts = 0, without_read_time = 0, idle = 0;
  for (const Totals& run : runs) {
    const auto& [read, read_time, written, write_time] = run.has_all ? run.all : run.components;
    summed += std::max<std::int64_t>(0, run.summaries - 1);
    parts += run.has_all ? run.parts : 0;
    without_read_time += read > 0 && read_time == 0 ? 1 : 0;
    idle += read > 0 || written > 0 ? 0 : 1;
    IoLog log{.name = run.run, .operations = {}, .has_dates = false, .oddities = {}};
    if (read > 0) log.operations.push_back({0, false, read, 0, read_time});
    if (written > 0) {
      log.operations.push_back({0, true, written, read_time, read_time + write_time});
    }
    log.duration = read_time + write_time;
    if (!log.operations.empty()) logs.push_back(std::move(log));
  }
  if (logs.empty()) {
    return fail(ErrorCode::bad_format, rows.place(), "found no run that moved a byte");
  }
  Oddities& odd = logs.front().oddities;
  odd.add("rows of components of runs that have a row ALL", parts, "not added to it");
  odd.add("further rows ALL of a run (a summary of each of its programs)", summed, "added");
  odd.add("runs that read without a time to read", without_read_time, "they read in 0 s");
  odd.add("runs that moved no byte", idle, "left out");
  rows.tell(odd);
  return logs;
}

}  // namespace

Result<IoLogs> sliced(const IoLogs&, const SliceQuestion&) {
  return fail(ErrorCode::usage, "",
              "found an I/O log, expected a trace with machines, jobs or availability");
}

FormatOf<IoLogs> darshan_dxt_format() {
  return {.facts = {.name = "darshan-dxt",
                    .summary = "I/O operations of one run (Darshan DXT, as text or as a table)",
                    .recognise = looks_like_darshan_dxt},
          .read = read_darshan_dxt};
}

FormatOf<IoLogs> io_totals_format() {
  return {.facts = {.name = "io-totals",
                    .summary = "bytes and seconds of I/O per run and component (CSV)",
                    .columns = "run,component,bytes_read,read_time_s,bytes_written,write_time_s",
                    .table = &kTotalsTable},
          .read = read_io_totals};
}

}  // namespace holdfast
