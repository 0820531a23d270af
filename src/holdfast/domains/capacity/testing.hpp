#pragma once

#include "holdfast/domains/capacity/simulate.hpp"
#include "holdfast/domains/capacity/strategies.hpp"
#include "holdfast/domains/capacity/validate.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// Functions that the tests of this domain share. Every run that they make passes the validator.
namespace holdfast::capacity::testing {

struct Run {
  Metrics metrics;
  std::vector<Execution> log;
  std::vector<Task> tasks;
};

inline StrategyMaker maker_of(std::string_view strategy, const Instance& instance,
                              std::uint64_t seed = 1) {
  const auto entries = strategies();
  const auto spec = parse_strategy(strategy, entries);
  return make_strategy(spec.value(), instance, Stream({.seed = seed, .purpose = Purpose::strategy}))
      .value();
}

inline Run run_of(const Instance& instance, std::string_view strategy, std::uint64_t seed = 1) {
  Run out;
  out.tasks = tasks_of(instance);
  const StrategyMaker maker = maker_of(strategy, instance, seed);
  out.metrics = simulate(instance, out.tasks, maker, &out.log);
  const Status valid =
      validate(instance, out.tasks, out.metrics, out.log, ranks_of(maker, instance, out.tasks));
  if (!valid) throw std::logic_error(std::string(strategy) + ": " + valid.error().text());
  return out;
}

/// Returns "job@machine:start-end" for every run, followed by x if it was killed and s if it was saved, in order of start, then
/// of job.
inline std::string text_of(const Run& run) {
  const auto mark = [](Execution::Outcome outcome) {
    if (outcome == Execution::Outcome::killed) return "x ";
    return outcome == Execution::Outcome::saved ? "s " : " ";
  };
  std::vector<Execution> log = run.log;
  std::sort(log.begin(), log.end(), [&](const Execution& a, const Execution& b) {
    return std::tuple(a.start, run.tasks[a.task].job) < std::tuple(b.start, run.tasks[b.task].job);
  });
  std::string out;
  for (const Execution& e : log) {
    out += std::to_string(run.tasks[e.task].job) + "@" + std::to_string(e.machine) + ":" +
           std::to_string(e.start) + "-" + std::to_string(e.end) + mark(e.outcome);
  }
  return out;
}

/// Returns a small instance without jobs: machines of 4 cores, window [0, end).
inline Instance machines_of(std::vector<Step> alive, std::int64_t end) {
  Instance out;
  out.cores = 4;
  out.begin = 0;
  out.end = end;
  out.distance = 1;
  out.safe_machines = alive.front().machines;
  for (const Step& step : alive) {
    out.machines = std::max(out.machines, step.machines);
    out.safe_machines = std::min(out.safe_machines, step.machines);
  }
  out.alive = std::move(alive);
  return out;
}

inline void add_job(Instance& instance, std::int64_t release, std::int64_t cores,
                    std::int64_t length, double category = 0.5) {
  instance.jobs.push_back({std::to_string(instance.jobs.size()), release, cores, length, category});
}

}  // namespace holdfast::capacity::testing
