#include "holdfast/base/text.hpp"
#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/jobs/sacct.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr double kSecondsOfHour = 3600;

/// A job that ran, for the time in which its nodes were watched.
struct WatchedJob {
  double end = 0;
  double node_seconds = 0;
  bool is_failure = false;
};

}  // namespace

// Jobs show when one of their nodes failed, and for how long they watched their nodes, but not which node it was or how old it is.
// So lives are counted in node-seconds of all jobs, from one failure to the next.
Result<FailureLog> read_node_fail_jobs(TraceText text, std::optional<std::string> system) {
  const std::string name = text.name();
  std::vector<WatchedJob> jobs;
  std::int64_t unwatched = 0, without_nodes = 0;
  double first = std::numeric_limits<double>::infinity();
  HOLDFAST_TRY(facts, read_sacct(std::move(text), [&](const LoggedJob& job) {
                 const double start = job.submit + std::max(job.wait, 0.0);
                 if (!(job.run > 0)) return static_cast<void>(++unwatched);
                 if (job.nodes < 1) return static_cast<void>(++without_nodes);
                 first = std::min(first, start);
                 jobs.push_back({start + job.run, job.run * static_cast<double>(job.nodes),
                                 job.is_end_of_node});
               }));
  if (jobs.empty() || without_nodes > std::ssize(jobs)) {
    return fail(
        ErrorCode::bad_format, name,
        "found jobs whose number of nodes is unknown, expected a column NNodes: node hours are "
        "what failures are counted against");
  }
  std::ranges::stable_sort(jobs, {}, &WatchedJob::end);
  FailureLogBuilder builder{std::move(system)};
  std::vector<Lifetime> lives;
  double since = 0, all = 0;
  for (const WatchedJob& job : jobs) {
    since += job.node_seconds;
    all += job.node_seconds;
    if (!job.is_failure) continue;
    lives.push_back(Lifetime::exact(std::exchange(since, 0)));
    builder.add({.system = "",
                 .node = "",
                 .down = job.end,
                 .up = job.end,
                 .line = fmt::format("{}", lives.size())});
  }
  if (lives.empty()) {
    return fail(
        ErrorCode::bad_format, name,
        fmt::format("found no failure of a node (NODE_FAIL) in {} and {:.6g} node hours, "
                    "expected at least one: with 95 % confidence a node fails less than once "
                    "in {:.6g} hours",
                    counted(jobs.size(), "job"), all / kSecondsOfHour, all / kSecondsOfHour / 3));
  }
  if (since > 0) lives.push_back(Lifetime::censored(since));
  LogNotes notes;
  for (const auto& [key, value] : facts.header) {
    HOLDFAST_CHECK(notes.read(fmt::format("{}: {}", key, value)));
  }
  const double from = notes.from ? notes.from->seconds : first;
  const double to = notes.to ? notes.to->seconds : jobs.back().end;
  HOLDFAST_TRY(log, builder.finish("node-fail-jobs", 1, true, from, to));
  log.exposure = std::move(lives);
  log.oddities.add("jobs that did not run, or still ran", unwatched, "left out");
  log.oddities.add("jobs whose number of nodes is unknown", without_nodes, "left out");
  log.oddities.add(
      fmt::format("jobs that a failed node ended (NODE_FAIL), in {:.6g} node hours of {} jobs",
                  all / kSecondsOfHour, jobs.size()),
      std::ssize(log.outages), "failures of unknown nodes: they give a rate");
  return log;
}

FormatOf<FailureLog> node_fail_jobs_format() {
  return {.facts = {.name = "node-fail-jobs",
                    .summary = "failures of nodes that ended jobs (sacct, state NODE_FAIL)",
                    .recognise = looks_like_sacct},
          .read = read_node_fail_jobs};
}

}  // namespace holdfast
