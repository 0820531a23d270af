#include "holdfast/traces/speedup/speedup_runs.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/table_rows.hpp"
#include "holdfast/traces/text/words.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace holdfast {
namespace {

struct RunAt {
  enum : std::size_t { processors, seconds, user };
};
constexpr auto kRunFields = std::to_array<TableField>({
    {.name = "processors",
     .is = CellKind::whole,
     .synonyms =
         "processes cores ranks threads nodes procs nprocs nproc np ncores numcores ntasks "
         "tasks nranks nthreads nnodes numnodes cpus ncpus mpiranks mpiprocesses pes workers "
         "gpus ngpus p knoten kerne prozesse",
     .need = 1},
    {.name = "seconds",
     .is = CellKind::duration,
     .synonyms = "mean time duration runtime wallmaxs elapsed elapsedtime wall walltime wallclock "
                 "wallclocktime real totaltime exectime executiontime timetosolution makespan zeit "
                 "laufzeit",
     .need = 2},
    {.name = "user_seconds", .is = CellKind::duration, .synonyms = "user"},  // a part of them
});
constexpr std::string_view kStrangers =
    "node host hostname job jobid user state status submit submittime start end down up date "
    "timestamp datetime hour low high event memory bytesread byteswritten";
constexpr TableKind kRunTable = {
    .records = "run times", .fields = kRunFields, .strangers = kStrangers};
/// A table whose columns of numbers are the run times of parts of a program, under their names.
constexpr TableKind kPartTable = {.records = "run times of parts",
                                  .fields = std::span(kRunFields).first(1),
                                  .strangers = kStrangers};
constexpr std::string_view kNoTimes =
    "speedup efficiency efficiencypercent eff flops gflops mflops tflops pflops rate throughput "
    "bandwidth bw run runs rep reps repetition repeat trial iteration iterations seed id size n "
    "problemsize mem energy power cost gb mb cells steps";
/// Texts of hyperfine that differ from run to run, and name no program.
constexpr std::string_view kNoNames = "command times exit_codes";
constexpr std::size_t kMostRows = 10'000'000;

bool is_word_of(std::string_view word, std::string_view words) {
  const auto all = words_of(words);
  return std::ranges::find(all, word) != all.end();
}

/// Returns true for names of what is done in a time, which is no time: "tokens_per_s", "cells/s".
bool is_rate(std::string_view column) {
  constexpr auto kPer = std::to_array<std::string_view>({"_per_", " per ", "/s", "/min", "/h"});
  return std::ranges::any_of(
      kPer, [&](std::string_view word) { return column.find(word) != column.npos; });
}

/// Returns true for names of numbers of processors, of which a table has the wanted one and perhaps others.
bool is_count(std::string_view plain) {
  return plain == "processors" || is_word_of(plain, kRunFields[RunAt::processors].synonyms);
}

/// Returns the columns of run times: the one that is called so, or all whose names state a unit of time, or in a table of parts
/// all columns of numbers that may be times.
std::vector<std::size_t> times_of(const TableReading& reading) {
  const auto column_of = [&](std::size_t field) {
    return field < reading.fields.size() ? reading.fields[field].column : std::nullopt;
  };
  if (const auto seconds = column_of(RunAt::seconds)) return {*seconds};
  std::vector<std::size_t> named, numbers;
  for (std::size_t i = 0; i < reading.table.names.size(); ++i) {
    const ColumnForm::Of of = reading.table.forms[i].of;
    const std::string plain = plain_name(reading.table.names[i]);
    const bool is_time = of == ColumnForm::Of::number || of == ColumnForm::Of::duration;
    if (!is_time || column_of(RunAt::processors) == i || is_count(plain) ||
        is_word_of(plain, kNoTimes) || is_rate(reading.table.names[i])) {
      continue;
    }
    numbers.push_back(i);
    if (of == ColumnForm::Of::duration || unit_in_name(reading.table.names[i])) named.push_back(i);
  }
  if (!named.empty()) return named;
  // Without a word on times, the processors come first and everything else is a time.
  const bool is_wide = reading.table.header_line > 0 && column_of(RunAt::processors) == 0;
  return is_wide ? numbers : std::vector<std::size_t>{};
}

class RunsReader {
 public:
  explicit RunsReader(TableRows rows) : rows_{std::move(rows)}, times_{times_of(rows_.reading())} {
    const TableReading& reading = rows_.reading();
    for (std::size_t i = 0; i < reading.table.names.size(); ++i) {
      const bool is_text = reading.table.forms[i].of == ColumnForm::Of::text &&
                           !is_word_of(reading.table.names[i], kNoNames);
      const bool is_used = reading.fields[RunAt::processors].column == i ||
                           std::ranges::find(times_, i) != times_.end();
      const std::string plain = plain_name(reading.table.names[i]);
      if (is_text && is_word_of(plain, "unit units einheit timeunit"))
        unit_ = i;
      else if (is_text && !is_used && !is_count(plain))
        names_.push_back(i);
    }
  }

  Result<SpeedupTable> read() {
    for (std::size_t rows = 0;; ++rows) {
      HOLDFAST_TRY(more, rows_.next());
      if (!more) break;
      if (rows >= kMostRows) {
        return fail(ErrorCode::bad_format, rows_.place(),
                    fmt::format("found more than {} rows", kMostRows));
      }
      HOLDFAST_CHECK(add());
    }
    return std::move(out_);
  }

 private:
  Status add() {
    HOLDFAST_TRY(processors, rows_.value(RunAt::processors));
    if (!processors || *processors < 1) {
      return refuse(*rows_.reading().fields[RunAt::processors].column,
                    "a whole number of at least 1");
    }
    std::string name;
    for (const std::size_t column : names_) {
      name += (name.empty() ? "" : " ") + std::string(rows_.cell(column));
    }
    for (const std::size_t column : times_) {
      HOLDFAST_TRY(stated, rows_.duration(column));
      HOLDFAST_TRY(factor, factor_of_row());
      const auto seconds = stated ? std::optional(*stated * factor) : std::nullopt;
      if (!seconds || !(*seconds > 0)) return refuse(column, "a duration greater than 0");
      const std::string part =
          times_.size() > 1 ? rows_.reading().table.names[column] : std::string();
      SpeedupRuns& runs = series(name.empty() || part.empty() ? name + part : name + " " + part);
      runs.processors.push_back(static_cast<std::int64_t>(*processors));
      runs.seconds.push_back(*seconds);
    }
    return {};
  }

  /// Returns the seconds in the unit that the row states beside its times; 1: the table has no such column.
  [[nodiscard]] Result<double> factor_of_row() const {
    if (!unit_) return 1.0;
    const auto factor = seconds_in(rows_.cell(*unit_));
    if (!factor) return fail(refuse(*unit_, "a unit of time such as s, ms or min").error());
    return *factor;
  }

  [[nodiscard]] Status refuse(std::size_t column, std::string_view expected) const {
    return fail(ErrorCode::bad_value,
                fmt::format("{}: {}", rows_.place(), rows_.reading().table.names[column]),
                fmt::format("found {}, expected {}", in_quotes(rows_.cell(column)), expected));
  }

  SpeedupRuns& series(const std::string& name) {
    const auto [found, is_new] = positions_.try_emplace(name, out_.size());
    if (is_new) out_.push_back({.name = name, .processors = {}, .seconds = {}});
    return out_[found->second];
  }

  TableRows rows_;
  std::vector<std::size_t> times_;
  std::vector<std::size_t> names_;
  std::optional<std::size_t> unit_;  ///< column of the units of the times
  std::vector<SpeedupRuns> out_;
  std::map<std::string, std::size_t, std::less<>> positions_;
};

}  // namespace

Result<SpeedupTable> read_speedup_runs(TraceText text) {
  HOLDFAST_TRY(head, text.lines.head(kSniffedHead));
  const bool is_whole = head.size() < kSniffedHead;
  TableQuestion other = text.table;  // which asks for no columns of seconds
  other.columns.clear();
  other.column_unit.clear();
  HOLDFAST_TRY(parts, understood(head, is_whole, kPartTable, other));
  const bool is_of_parts =
      text.table.columns.empty() && parts.is_complete() && !times_of(parts).empty();
  HOLDFAST_TRY(reading, understood(head, is_whole, kRunTable, text.table));
  const bool is_named = reading.lacking.empty();
  text.reading = std::make_shared<TableReading>(is_named || !is_of_parts ? std::move(reading)
                                                                         : std::move(parts));
  const TableKind& kind = *text.reading->kind;
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kind));
  return RunsReader(std::move(rows)).read();
}

SpeedupTable run_times_of(const WorkflowRun& run) {
  SpeedupTable out;
  for (const MeasuredTask& task : run.tasks) {
    if (task.cores < 1 || !task.runtime) continue;
    const std::string name = task.kind();
    auto series = std::ranges::find(out, name, &SpeedupRuns::name);
    if (series == out.end()) {
      out.push_back({.name = name, .processors = {}, .seconds = {}});
      series = out.end() - 1;
    }
    if (*task.runtime <= 0) {
      ++series->without_time;
      continue;
    }
    series->processors.push_back(task.cores);
    series->seconds.push_back(*task.runtime);
    series->products.push_back(task.product);
  }
  std::erase_if(out, [](const SpeedupRuns& series) { return series.seconds.empty(); });
  return out;
}

Oddities oddities_of(std::span<const SpeedupRuns> all) {
  std::int64_t slower = 0, superlinear = 0, timeless = 0, steps = 0, repeated = 0, late = 0,
               disordered = 0;
  for (const SpeedupRuns& runs : all) {
    timeless += runs.without_time;
    std::vector<std::pair<std::int64_t, double>> points;
    for (std::size_t i = 0; i < runs.processors.size(); ++i) {
      points.emplace_back(runs.processors[i], runs.seconds[i]);
    }
    if (!std::ranges::is_sorted(runs.processors)) ++disordered;
    std::ranges::stable_sort(points, {}, &std::pair<std::int64_t, double>::first);
    if (!points.empty() && points.front().first > 1) ++late;
    for (std::size_t i = 1; i < points.size(); ++i) {
      const auto& [fewer, before] = points[i - 1];
      const auto& [more, after] = points[i];
      if (more == fewer) {
        ++repeated;
        continue;
      }
      ++steps;
      if (after > before) ++slower;
      if (after * static_cast<double>(more) < before * static_cast<double>(fewer)) ++superlinear;
    }
  }
  Oddities out;
  const std::string of = fmt::format(" (of {} steps)", steps);
  out.add("steps to more processors on which the time grows" + of, slower,
          "kept: a profile of type `table` is checked where it is used");
  out.add("steps to more processors on which the work shrinks" + of, superlinear,
          "kept: a profile of type `table` is checked where it is used");
  out.add("runs that took no time", timeless, "left out");
  out.add("runs on a number of processors that was there already", repeated, "kept");
  out.add("series that do not begin at 1 processor", late, "kept: nothing is known of fewer");
  out.add("series whose rows are not in order of processors", disordered, "kept in that order");
  return out;
}

bool looks_like_speedup_runs(std::string_view head) {
  const auto parts = understood(head, true, kPartTable, {});
  return parts && parts->is_complete() && !parts->trouble && parts->table.rows > 0 &&
         !times_of(*parts).empty();
}

Result<Oddities> write_speedup_runs(const SpeedupTable& runs, const TextSink& sink) {
  const bool is_alone = runs.size() == 1 && runs.front().name.empty();
  SinkBuffer out(sink);
  out << (is_alone ? "processors,seconds\n" : "series,processors,seconds\n");
  for (const SpeedupRuns& one : runs) {
    if (!is_alone && finite_number(one.name)) {
      return fail(ErrorCode::bad_value, "",
                  fmt::format("found a series called {}, expected a name that is no number",
                              in_quotes(one.name)));
    }
    const std::string name = is_alone ? std::string() : csv_field(one.name) + ",";
    for (std::size_t i = 0; i < one.processors.size(); ++i) {
      out << name << fmt::format("{},{}\n", one.processors[i], to_text(one.seconds[i]));
    }
  }
  HOLDFAST_CHECK(out.finish());
  return Oddities{};
}

Result<SpeedupTable> sliced(const SpeedupTable&, const SliceQuestion&) {
  return fail(ErrorCode::usage, "",
              "found run times by processors, expected a trace with times, machines or jobs");
}

FormatOf<SpeedupTable> speedup_table_format() {
  return {.facts = {.name = "speedup-table",
                    .summary = "run times by number of processors (table with a header)",
                    .recognise = looks_like_speedup_runs,
                    .table = &kRunTable},
          .read = read_speedup_runs,
          .write = write_speedup_runs};
}

}  // namespace holdfast
