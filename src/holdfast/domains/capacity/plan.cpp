#include "holdfast/domains/capacity/plan.hpp"

#include "holdfast/domains/capacity/live/world.hpp"
#include "holdfast/domains/capacity/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast::capacity {
namespace {

// The live state as tasks: those that run, those that are planned, and last the one to place.
std::vector<Task> live_tasks(const LiveState& state) {
  std::vector<Task> tasks;
  for (const LiveState::Placed& placed : state.running) {
    const std::int64_t lasted = state.now - placed.start;
    const std::int64_t length = estimated_length(placed.length, lasted);
    tasks.push_back({.release = placed.start,
                     .arrival = state.now,
                     .cores = placed.cores,
                     .length = length,
                     .first_length = length - lasted});
  }
  for (const LiveState::Placed& placed : state.planned) {
    tasks.push_back({.release = state.now,
                     .arrival = state.now,
                     .cores = placed.cores,
                     .length = placed.length,
                     .first_length = placed.length});
  }
  Task job = tasks_of(state.instance).front();
  job.arrival = state.now;
  job.first_length = job.length;
  tasks.push_back(job);
  return tasks;
}

Status set_up(ClusterState& cluster, const LiveState& state) {
  for (std::int64_t m = 0; m < state.alive; ++m) cluster.set_alive(m, true);
  for (std::size_t i = 0; i < state.running.size(); ++i) {
    const LiveState::Placed& placed = state.running[i];
    if (placed.start > state.now) {
      return fail(ErrorCode::bad_value, fmt::format("/running/{}", i),
                  fmt::format("it does not run yet at {}", state.now));
    }
    if (cluster.free(placed.machine) < placed.cores) {
      return fail(ErrorCode::bad_value, fmt::format("/running/{}", i),
                  fmt::format("machine {} has no {} cores left", placed.machine, placed.cores));
    }
    cluster.start(i, placed.machine, state.now);
  }
  return {};
}

}  // namespace

Result<Decision> decide(const LiveState& given, const StrategySpec& spec) {
  if (strategies()[spec.index].is_bound) {
    return fail(ErrorCode::bad_value, "/strategy",
                fmt::format("found {}, which knows when machines go off, expected one that does "
                            "not: a decision comes before that",
                            spec.text));
  }
  HOLDFAST_CHECK(check_limit(spec));
  LiveState state = given;
  // The window must include the job's release, on which its stretch depends.
  state.instance.begin = std::min(state.now, state.instance.jobs[0].release);
  const std::vector<Task> tasks = live_tasks(state);
  const std::size_t job = tasks.size() - 1;
  ClusterState cluster(state.instance, tasks, nullptr);
  HOLDFAST_CHECK(set_up(cluster, state));
  HOLDFAST_TRY(maker, make_strategy(spec, state.instance, Stream(StreamKey{})));
  const std::unique_ptr<Strategy> strategy = maker(cluster);
  strategy->resume(state.now, {state.used, state.largest_stretch});
  for (std::size_t i = 0; i < state.planned.size(); ++i) {
    const LiveState::Placed& plan = state.planned[i];
    strategy->add_plan(state.running.size() + i, plan.machine, std::max(plan.start, state.now));
  }
  return Decision{tasks[job].category, strategy->answer(job, state.now)};
}

}  // namespace holdfast::capacity
