#include "holdfast/answers/trace/facts.hpp"
#include "holdfast/answers/trace/info_losses.hpp"
#include "holdfast/answers/trace/info_records.hpp"
#include "holdfast/answers/trace/info_workload.hpp"
#include "holdfast/answers/trace/source.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/document_members.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/traces/failures/log_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

Answer begin_answer(const std::string& file, const OpenTrace& trace) {
  const Format& format = *trace.format;
  Answer answer;
  answer.document.set("holdfast", Value::object({{"kind", "trace-info"}, {"version", 1}}));
  answer.document.set("file", file);
  answer.document.set("format", format.name);
  answer.headline = fmt::format("{}: {}", file, format.summary);
  say_reading(file, trace.reading(), answer);
  answer.tables.push_back(
      {.title = "what was read", .columns = {{.title = "what"}, {.title = "value"}}, .rows = {}});
  return answer;
}

void describe_period(const FailureLog& log, Answer& answer) {
  const Value from = time_value(log, log.from);
  const Value to = time_value(log, log.to);
  answer.document.set("rows", log.rows);
  answer.document.set("from", from);
  answer.document.set("to", to);
  std::int64_t nodes = 0;
  for (const LoggedSystem& system : log.systems)
    nodes += std::max(system.nodes, system.nodes_with_rows);
  answer.document.set("nodes", nodes);
  auto& rows = answer.tables.front().rows;
  const auto text = [](const Value& value) {
    return value.string() != nullptr ? *value.string() : to_compact_json(value);
  };
  rows.push_back({"outages", std::to_string(log.rows)});
  rows.push_back({"period", fmt::format("{} to {} ({})", text(from), text(to),
                                        format_duration(log.to - log.from))});
  rows.push_back({"systems", std::to_string(log.systems.size())});
  rows.push_back({"nodes", std::to_string(nodes)});
}

void describe_systems(const FailureLog& log, Answer& answer) {
  struct Counts {
    std::int64_t outages = 0;
    double first = 0;
    double last = 0;
  };
  std::vector<Counts> counts(log.systems.size());
  for (const Outage& outage : log.outages) {  // in order of time
    Counts& of_system = counts[outage.system];
    if (of_system.outages++ == 0) of_system.first = outage.down;
    of_system.last = outage.down;
  }
  Value systems = Value::array();
  Table table{.title = "systems",
              .columns = {{.title = "system"},
                          {.title = "nodes"},
                          {.title = "named"},
                          {.title = "outages"},
                          {.title = "first"},
                          {.title = "last"}}};
  for (std::size_t i = 0; i < log.systems.size(); ++i) {
    const LoggedSystem& system = log.systems[i];
    const Counts& count = counts[i];
    Value entry = Value::object({{"system", system.name},
                                 {"named_nodes", system.nodes_with_rows},
                                 {"outages", count.outages}});
    if (system.nodes > 0) entry.set("nodes", system.nodes);
    if (count.outages > 0) {
      entry.set("first", time_value(log, count.first));
      entry.set("last", time_value(log, count.last));
    }
    const auto shown = [&](double time) {
      return count.outages > 0 ? time_value(log, time) : Value();
    };
    table.rows.push_back({system.name, system.nodes > 0 ? Value(system.nodes) : Value(),
                          system.nodes_with_rows, count.outages, shown(count.first),
                          shown(count.last)});
    systems.push(std::move(entry));
  }
  answer.document.set("systems", std::move(systems));
  if (log.systems.size() > 1) answer.tables.push_back(std::move(table));
}

Values lengths_of_outages(const FailureLog& log) {
  Values out;
  out.reserve(log.outages.size());
  for (const Outage& outage : log.outages) {
    if (std::isfinite(outage.up)) out.add(outage.up - outage.down);
  }
  return out;
}

Answer describe(const FailureLog& log, Answer answer) {
  describe_period(log, answer);
  describe_losses(log, answer);
  describe_systems(log, answer);
  QuantityTable quantities;
  quantities.add("outage", "length of an outage", lengths_of_outages(log).summary());
  std::vector<Oddity> oddities = log.oddities.list();
  if (auto lives = times_between_failures(log)) {
    quantities.add("time_between_failures", "time between failures of a node",
                   std::move(lives->seconds).summary());
    oddities.insert(oddities.end(), lives->oddities.list().begin(), lives->oddities.list().end());
  }
  quantities.finish(answer);
  add_oddities(oddities, answer);
  answer.warnings = doubts_about(log);
  return answer;
}

Answer describe(const LifetimeTable& table, Answer answer) {
  const std::vector<Lifetime>& lives = table.lifetimes;
  std::vector<double> failures;
  std::vector<double> censored;
  std::int64_t between = 0;
  std::int64_t truncated = 0;
  for (const Lifetime& life : lives) {
    if (life.is_exact()) failures.push_back(life.low);
    if (life.is_censored()) censored.push_back(life.low);
    if (!life.is_exact() && !life.is_censored()) ++between;
    if (life.entry > 0) ++truncated;
  }
  const std::pair<const char*, std::int64_t> counts[] = {
      {"lifetimes", static_cast<std::int64_t>(lives.size())},
      {"failures", static_cast<std::int64_t>(failures.size())},
      {"between_inspections", between},
      {"censored", static_cast<std::int64_t>(censored.size())},
      {"truncated", truncated}};
  for (const auto& [name, count] : counts) {
    add_fact(answer, name, in_words(name).c_str(), count, std::to_string(count));
  }
  QuantityTable quantities;
  quantities.add("age_at_failure", "age at failure", failures);
  quantities.add("age_when_censored", "age when censored", censored);
  quantities.finish(answer);
  add_oddities(table.oddities.list(), answer);
  return answer;
}

Answer describe(const WorkflowRun& run, Answer answer) {
  std::vector<double> runtimes;
  std::int64_t with_cores = 0;
  double total = 0;
  double bytes = 0;
  for (const MeasuredTask& task : run.tasks) {
    if (task.runtime) runtimes.push_back(*task.runtime);
    total += task.runtime.value_or(0);
    bytes += task.output_bytes;
    if (task.cores > 0) ++with_cores;
  }
  const auto count = [&](const char* name, const char* title, std::size_t number) {
    add_fact(answer, name, title, static_cast<std::int64_t>(number), std::to_string(number));
  };
  add_fact(answer, "name", "name", run.name, run.name);
  add_fact(answer, "schema_version", "stated version", run.schema_version, run.schema_version);
  count("tasks", "tasks", run.tasks.size());
  count("edges", "dependencies", run.dependencies.size());
  add_fact(answer, "total_work", "run times together", total, format_duration(total));
  if (run.makespan)
    add_fact(answer, "makespan", "measured makespan", *run.makespan,
             format_duration(*run.makespan));
  count("tasks_with_cores", "tasks that say their cores", static_cast<std::size_t>(with_cores));
  add_fact(answer, "output_bytes", "written by tasks", bytes, format_quantity(bytes, Unit::bytes));
  QuantityTable quantities;
  quantities.add("runtime", "run time of a task", runtimes);
  quantities.finish(answer);
  add_oddities(run.oddities.list(), answer);
  return answer;
}

Answer describe(const AvailabilityRecord& record, Answer answer) {
  constexpr std::pair<WorkerState, const char*> kStates[] = {
      {WorkerState::up, "up"}, {WorkerState::reclaimed, "reclaimed"}, {WorkerState::down, "down"}};
  answer.document.set("workers", static_cast<std::int64_t>(record.workers.size()));
  answer.document.set("from", record.from);
  answer.document.set("to", record.to);
  Table& table = answer.tables.front();
  table.rows.push_back({"workers", std::to_string(record.workers.size())});
  table.rows.push_back({"period", format_duration(record.to - record.from)});
  QuantityTable quantities;
  double known = 0;
  for (const WorkerHistory& worker : record.workers) {
    for (const StateInterval& interval : worker.intervals) known += interval.end - interval.start;
  }
  Value shares = Value::object();
  for (const auto& [state, name] : kStates) {
    std::vector<double> lengths;
    double sum = 0;
    for (const WorkerHistory& worker : record.workers) {
      for (const StateInterval& interval : worker.intervals) {
        if (interval.state != state) continue;
        lengths.push_back(interval.end - interval.start);
        sum += lengths.back();
      }
    }
    if (lengths.empty()) continue;
    shares.set(name, sum / known);
    table.rows.push_back({fmt::format("share {}", name), fmt::format("{:.4f}", sum / known)});
    quantities.add(name, fmt::format("time {}", name), lengths);
  }
  answer.document.set("shares", std::move(shares));
  quantities.finish(answer);
  add_oddities(record.oddities.list(), answer);
  return answer;
}

/// The options of `holdfast trace info`.
struct InfoOptions {
  TraceSource source;
  SeriesOptions series;
};

const Fields<InfoOptions>& info_options() {
  static const auto kRows = source_and_series_rows<InfoOptions>();
  static const Fields<InfoOptions> kFields(kRows);
  return kFields;
}

// Describes a file, depending on the kind of its records. Most kinds are read whole; a batch log may be too long for memory.

template <class Record>
Result<Answer> describe_file(const FormatOf<Record>& format, TraceText lines, const InfoOptions&,
                             Answer answer) {
  HOLDFAST_TRY(records, format.read_all(std::move(lines), {}));
  return describe(records, std::move(answer));
}

Result<Answer> describe_file(const FormatOf<FailureLog>& format, TraceText lines,
                             const InfoOptions& options, Answer answer) {
  HOLDFAST_TRY(log, options.source.read_log(format, std::move(lines)));
  return describe(log, std::move(answer));
}

Result<Answer> describe_file(const FormatOf<JobLog>& format, TraceText lines, const InfoOptions&,
                             Answer answer) {
  return describe_jobs(format, std::move(lines), std::move(answer));
}

Result<Answer> describe_file(const FormatOf<CapacitySeries>& format, TraceText lines,
                             const InfoOptions& options, Answer answer) {
  HOLDFAST_TRY(question, options.series.question());
  auto told = describe_capacity(format, std::move(lines), std::move(question), std::move(answer));
  if (!told && told.error().where == "column") {
    return fail(ErrorCode::usage, "--column", told.error().message);
  }
  return told;
}

Result<Answer> tell(const InfoOptions& options, const Request& request) {
  HOLDFAST_TRY(trace, options.source.open(request));
  Answer answer = begin_answer(options.source.file, trace);
  auto told = std::visit(
      [&](const auto& format) {
        return describe_file(format, std::move(trace.lines), options, std::move(answer));
      },
      trace.format->of);
  if (told) return told;
  Error error = std::move(told).error();
  const bool is_placed = error.code == ErrorCode::usage || options.source.file == "-";
  return fail(is_placed ? std::move(error) : options.source.placed(std::move(error)));
}

constexpr auto kInfoResults = std::to_array<ResultField>(
    {{"", "the header", kHeaderMembers},
     {"file", "the file", Holds::text},
     {"format", "its format", Holds::text},
     {"quantities.*.count", "number of values of that quantity", Holds::integer},
     {"quantities.*.minimum", "least value"},
     {"quantities.*.p10", "quantile of 10 %"},
     {"quantities.*.median", "median"},
     {"quantities.*.mean", "mean"},
     {"quantities.*.p90", "quantile of 90 %"},
     {"quantities.*.maximum", "largest value"},
     {"oddities[].what", "something odd in the file", Holds::text},
     {"oddities[].count", "how often it occurs", Holds::integer},
     {"oddities[].action", "what was done about it", Holds::text},
     {"systems?[].system", "failures: name of a system", Holds::text},
     {"systems?[].*", "its nodes, outages, first and last outage", Holds::number_or_text},
     {"shares?.*", "availability: part of the time in that state"},
     {"series?[]", "run times: a program that was measured", Holds::object},
     {"periods?[].from", "failures: begin of a month of 30 days, or of a year",
      Holds::number_or_text},
     {"periods?[].failures", "failures in it", Holds::integer},
     {"periods?[].availability", "share of its node-hours in service"},
     {"periods?[].node_hours_lost", "the others"},
     {"kinds?[].kind", "machines: a kind of them", Holds::text},
     {"kinds?[].count", "their number", Holds::integer},
     {"read_as?.*", "how a table was read", Holds::text},
     {"columns?[]", "capacity: columns of the file", Holds::text},
     {"*", "a fact of this kind of trace: jobs, work, from, to, period, nodes and others",
      Holds::number_or_text}});

}  // namespace

Verb trace_info_verb() {
  return {.name = "info",
          .summary = "describe a trace: period, counts, quantities, oddities",
          .example = "holdfast trace info examples/data/sample-failures.csv",
          .family = "trace",
          .options = info_options().parameters(),
          .positionals = trace_file<InfoOptions>().parameters(),
          .results = kInfoResults,
          .takes_instance = false,
          .takes_seed = false,
          .run = with_options<tell, trace_file<InfoOptions>, info_options>};
}

}  // namespace holdfast
