#include "fuzz/promises.hpp"

#include "holdfast/traces/failures/lifetimes.hpp"
#include "holdfast/traces/jobs/batsim_json.hpp"
#include "holdfast/traces/jobs/jobs_csv.hpp"
#include "holdfast/traces/jobs/swf.hpp"
#include "holdfast/traces/workflow/wfformat.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace holdfast::fuzz {
namespace {

void check_lives(std::span<const Lifetime> lives) {
  for (const Lifetime& life : lives) {
    promise(std::isfinite(life.low) && life.low >= 0, "ages are finite");
    promise(life.high >= life.low, "lives end after they were seen");
    promise(life.entry >= 0 && life.entry <= life.low, "lives are seen after they are entered");
  }
}

void check_lifetimes(const FailureLog& log, const LifetimeQuery& query) {
  const auto lives = lifetimes_of(log, query);
  if (!lives) return;
  check_lives(lives->lifetimes);
  promise(std::ranges::is_sorted(lives->first_of_unit), "units follow each other");
  for (const LoggedAge& age : lives->ages) {
    promise(age.age >= 0 && age.count > 0, "ages are of somebody");
  }
}

/// What a writer makes of records, as text; nothing where it refuses them (and says why).
template <class Records>
std::optional<std::string> written(Result<Oddities> (*write)(const Records&, const TextSink&),
                                   const Records& records) {
  std::string text;
  const auto lost = write(records, [&](std::string_view part) -> Status {
    text += part;
    return {};
  });
  if (!lost) return std::nullopt;
  return text;
}

LineReader lines_of(std::string text) {
  return LineReader(open_text(std::move(text)), "again");
}

/// Jobs survive the plain table as they are, but for what it has no columns of.
void check_plain_jobs(const JobLog& log) {
  const auto text = written(write_jobs_csv, log);
  promise(text.has_value(), "jobs are written as a plain table");
  std::vector<LoggedJob> again;
  const auto facts =
      read_jobs_csv(lines_of(*text), [&](const LoggedJob& job) { again.push_back(job); });
  std::vector<LoggedJob> expected = log.jobs;
  for (LoggedJob& job : expected) {
    job.nodes = -1;
    job.is_end_of_node = false;
  }
  promise(facts.has_value() && again == expected, "jobs are the same in the plain table");
}

/// The lengths and widths of jobs survive Batsim's workload.
void check_batsim_jobs(const JobLog& log) {
  std::vector<const LoggedJob*> kept;
  for (const LoggedJob& job : log.jobs) {
    if (job.submit >= 0 && job.run >= 0 && job.width() > 0) kept.push_back(&job);
  }
  const auto text = written(write_batsim_json, log);
  if (!text || kept.empty()) return;
  std::size_t next = 0;
  const auto facts = read_batsim_json(lines_of(*text), [&](const LoggedJob& job) {
    const LoggedJob& before = *kept[next++];
    promise(job.submit == before.submit && job.run == before.run && job.width() == before.width(),
            "a job is the same in Batsim's workload");
  });
  promise(facts.has_value() && next == kept.size(), "Batsim's workload has all jobs");
}

/// Intervals of one state that meet are one.
std::vector<StateInterval> joined(const std::vector<StateInterval>& intervals) {
  std::vector<StateInterval> out;
  for (const StateInterval& one : intervals) {
    if (!out.empty() && out.back().state == one.state && out.back().end == one.start) {
      out.back().end = one.end;
    } else {
      out.push_back(one);
    }
  }
  return out;
}

/// True where wfformat_text() takes it.
bool is_writable(const WorkflowRun& run) {
  std::unordered_set<std::string_view> ids;
  return std::ranges::all_of(run.tasks, [&](const MeasuredTask& task) {
    return task.runtime.has_value() && ids.insert(task.id).second;
  });
}

}  // namespace

void promise(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "==fuzz== a promise is broken: %s\n", sentence);
  std::abort();
}

void check(const FailureLog& log) {
  promise(std::isfinite(log.from) && std::isfinite(log.to) && log.from <= log.to,
          "a log covers a period");
  double before = -std::numeric_limits<double>::infinity();
  for (const Outage& outage : log.outages) {
    promise(outage.down >= before, "outages are in order of time");
    promise(outage.up >= outage.down, "a repair follows its failure");
    promise(outage.node == Outage::kNoNode || outage.node < log.nodes.size(), "nodes exist");
    promise(outage.system < log.systems.size(), "systems exist");
    before = outage.down;
  }
  check_lifetimes(log, {});
  check_lifetimes(log, {.since = LifetimeQuery::Since::repair, .merge = 60.0});
  check_lifetimes(log, {.unit = FailureUnit::system});
}

void check(const LifetimeTable& table) {
  check_lives(table.lifetimes);
}

void check(const WorkflowRun& run) {
  promise(!run.tasks.empty(), "a workflow has tasks");
  for (const MeasuredTask& task : run.tasks) {
    promise(!task.id.empty(), "tasks have ids");
    promise(!task.runtime || (std::isfinite(*task.runtime) && *task.runtime >= 0),
            "run times are durations");
    promise(task.cores >= 0, "cores are not negative");
  }
  for (const WorkflowRun::Dependency& edge : run.dependencies) {
    promise(edge.parent < run.tasks.size() && edge.child < run.tasks.size(),
            "dependencies join tasks");
    promise(edge.parent != edge.child, "no task waits for itself");
  }
  promise(std::ranges::adjacent_find(run.dependencies, std::ranges::greater_equal{}) ==
              run.dependencies.end(),
          "dependencies are in order, each once");
  if (!is_writable(run)) return;
  const auto again = read_wfformat_text(wfformat_text(run));
  promise(again.has_value(), "a workflow that was written is read");
  promise(again->dependencies == run.dependencies, "a workflow that was written is the same");
}

void check(const AvailabilityRecord& record) {
  promise(std::isfinite(record.from) && std::isfinite(record.to) && record.from <= record.to,
          "a record covers a period");
  for (const WorkerHistory& worker : record.workers) {
    double before = record.from;
    for (const StateInterval& interval : worker.intervals) {
      promise(interval.start >= before && interval.end > interval.start,
              "intervals are in order of time");
      before = interval.end;
    }
    promise(before <= record.to, "intervals lie in the period");
  }
  const auto text = written(write_state_events, record);
  promise(text.has_value(), "a record is written as events");
  if (record.workers.empty()) return;
  const auto again = read_state_events(lines_of(*text), {});
  promise(again.has_value() && again->workers.size() == record.workers.size(),
          "a record that was written has the same workers");
  for (std::size_t i = 0; i < record.workers.size(); ++i) {
    promise(joined(again->workers[i].intervals) == joined(record.workers[i].intervals),
            "a record that was written has the same intervals");
  }
}

void check(const CapacitySeries& series) {
  promise(!series.points.empty(), "a series has points");
  double before = -std::numeric_limits<double>::infinity();
  for (const SeriesPoint& point : series.points) {
    promise(std::isfinite(point.time) && std::isfinite(point.value), "points are finite");
    promise(point.time > before, "times increase");
    promise(series.of != SeriesOf::in_service || (point.value >= 0 && point.value <= 1),
            "a share in service is from 0 to 1");
    before = point.time;
  }
  promise(series.end >= before && std::isfinite(series.end), "a series ends after its last point");
  const auto text = written(write_step_series, series);
  promise(text.has_value(), "a series is written as steps");
  const auto again = read_step_series(lines_of(*text), {.column = "", .time_unit = 1});
  promise(again.has_value(), "a series that was written is read");
  promise(again->points.size() >= series.points.size(), "a series that was written is whole");
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    promise(again->points[i].time == series.points[i].time &&
                again->points[i].value == series.points[i].value,
            "a series that was written is the same");
  }
}

void check(const JobLog& log) {
  promise(log.facts.jobs == static_cast<std::int64_t>(log.jobs.size()), "every job is handed on");
  if (log.jobs.empty()) return;
  check_plain_jobs(log);
  check_batsim_jobs(log);
  std::string text;
  const auto oddities =
      write_swf({.jobs = log.jobs, .facts = {}}, [&](std::string_view part) -> Status {
        text += part;
        return {};
      });
  if (!oddities) return;  // the writer may refuse, and says why
  JobLog again;
  const auto facts = read_swf(LineReader(open_text(std::move(text)), "again"),
                              [&](const LoggedJob& job) { again.jobs.push_back(job); });
  promise(facts.has_value(), "a log that was written is read");
  promise(again.jobs.size() == log.jobs.size(), "a log that was written has the same jobs");
  for (std::size_t i = 0; i < log.jobs.size(); ++i) {
    const LoggedJob& before = log.jobs[i];
    const LoggedJob& after = again.jobs[i];
    promise(
        std::abs(after.submit - before.submit) <= 0.5 && std::abs(after.run - before.run) <= 0.5,
        "times that were written are rounded to seconds");
    promise(after.processors == before.processors, "a job that was written is the same");
  }
}

void check(const MachineTable& table) {
  promise(!table.machines.empty(), "a table has machines");
  for (const LoggedMachine& machine : table.machines) {
    promise(!machine.id.empty(), "machines are told apart");
    for (const auto& number : {machine.cores, machine.memory, machine.gpus}) {
      promise(!number || (std::isfinite(*number) && *number >= 0), "machines have so much");
    }
    for (const auto& time : {machine.from, machine.to}) {
      promise(!time || std::isfinite(*time), "times are finite");
    }
  }
}

void check(const IoLogs& logs) {
  promise(!logs.empty(), "an I/O log has runs");
  for (const IoLog& log : logs) {
    promise(!log.operations.empty() && log.processes >= 0, "a run has operations");
    double last = 0;
    for (const IoOperation& one : log.operations) {
      promise(one.bytes > 0 && std::isfinite(one.bytes), "an operation moves bytes");
      promise(one.start >= last && one.end >= one.start, "operations come in order of start");
      promise(one.end <= log.duration && std::isfinite(one.end), "runs last until their end");
      last = one.start;
    }
  }
}

void check(const SpeedupTable& runs) {
  for (const SpeedupRuns& series : runs) {
    promise(series.processors.size() == series.seconds.size(), "a duration for each run");
    for (const std::int64_t p : series.processors) promise(p >= 1, "a run has processors");
    for (const double s : series.seconds)
      promise(std::isfinite(s) && s > 0, "durations are positive");
  }
}

}  // namespace holdfast::fuzz
