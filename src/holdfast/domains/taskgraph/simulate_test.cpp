#include "holdfast/domains/taskgraph/simulate.hpp"

#include "holdfast/algorithms/dag_testing.hpp"
#include "holdfast/domains/taskgraph/strategies.hpp"
#include "holdfast/domains/taskgraph/testing.hpp"
#include "holdfast/domains/taskgraph/validate.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::taskgraph {
namespace {

using testing::kModels;
using testing::random_failures;
using testing::random_instance;

constexpr const char* kListStrategies[] = {"capped-lpa",
                                           "capped-lpa:priority=lpt",
                                           "capped-lpa:priority=hpa",
                                           "capped-lpa:priority=la",
                                           "capped-lpa:priority=bottom-level",
                                           "min-time",
                                           "min-area",
                                           "fraction:0.5",
                                           "min-time:priority=bottom-level"};

std::unique_ptr<Strategy> make(const char* text, const Instance& instance) {
  const auto table = strategies();
  return make_strategy(parse_strategy(text, table).value(), instance).value();
}

struct Run {
  Metrics metrics;
  Schedule schedule;
};
Run run(const char* text, const Instance& instance, std::span<const std::int64_t> failures = {}) {
  Run out;
  out.metrics = simulate(instance, *make(text, instance), failures, &out.schedule);
  return out;
}

std::vector<double> starts(const Run& run, std::size_t tasks) {
  std::vector<double> out(tasks, -1);
  for (const Attempt& attempt : run.schedule) out[attempt.task] = attempt.start;
  return out;
}

// Algorithm 3 as written: a list of available tasks, scanned from its start at every completion.
Schedule schedule_by_scan(const Instance& instance, const Strategy& strategy,
                          std::span<const std::int64_t> failures) {
  const std::size_t tasks = instance.size();
  std::vector<std::uint32_t> allocations;
  std::vector<double> durations;
  for (std::size_t task = 0; task < tasks; ++task) {
    const auto p = strategy.allocate({.task = task, .speedup = instance.tasks[task]});
    allocations.push_back(static_cast<std::uint32_t>(p));
    durations.push_back(instance.tasks[task].time(p));
  }
  const bool is_fifo = strategy.order() == QueueOrder::fifo;
  const auto keys = is_fifo ? std::vector<double>(tasks)
                            : queue_keys(instance, strategy.order(), allocations, durations);
  struct Running {
    double end;
    std::size_t task;
  };
  std::vector<std::size_t> queue;
  std::vector<Running> running;
  std::vector<std::size_t> waiting(tasks);
  std::vector<std::uint32_t> attempt(tasks, 1);
  std::vector<std::size_t> available;
  for (std::size_t task = 0; task < tasks; ++task) {
    waiting[task] = instance.graph.parents(task).size();
    if (waiting[task] == 0) available.push_back(task);
  }
  Schedule schedule;
  std::int64_t free = instance.processors;
  double now = 0;
  for (;;) {
    std::sort(available.begin(), available.end());
    queue.insert(queue.end(), available.begin(), available.end());
    available.clear();
    if (!is_fifo) {
      std::stable_sort(queue.begin(), queue.end(), [&](std::size_t a, std::size_t b) {
        return keys[a] != keys[b] ? keys[a] > keys[b] : a < b;
      });
    }
    for (auto it = queue.begin(); it != queue.end();) {
      const std::size_t task = *it;
      if (allocations[task] > free) {
        ++it;
        continue;
      }
      free -= allocations[task];
      const bool failed = !failures.empty() && attempt[task] <= failures[task];
      schedule.push_back({.task = static_cast<TaskIndex>(task),
                          .number = attempt[task],
                          .start = now,
                          .end = now + durations[task],
                          .processors = allocations[task],
                          .failed = failed});
      running.push_back({now + durations[task], task});
      it = queue.erase(it);
    }
    if (running.empty()) return schedule;
    now = std::min_element(running.begin(), running.end(), [](auto& a, auto& b) {
            return a.end < b.end;
          })->end;
    for (auto it = running.begin(); it != running.end();) {
      if (it->end != now) {
        ++it;
        continue;
      }
      const std::size_t task = it->task;
      free += allocations[task];
      if (!failures.empty() && attempt[task] <= failures[task]) {
        ++attempt[task];
        available.push_back(task);
      } else {
        for (const TaskIndex child : instance.graph.children(task)) {
          if (--waiting[child] == 0) available.push_back(child);
        }
      }
      it = running.erase(it);
    }
  }
}

Instance of(std::int64_t processors, std::vector<Speedup> tasks, const std::vector<Edge>& edges) {
  Instance instance;
  instance.processors = processors;
  instance.graph = Dag::from_edges(tasks.size(), edges).value();
  instance.tasks = std::move(tasks);
  return instance;
}

}  // namespace

TEST_CASE("simulate: five Amdahl tasks on 4 processors") {
  const Instance instance = testing::five_tasks();
  struct Row {
    const char* strategy;
    std::vector<double> starts;
    double makespan;
  };
  const Row rows[] = {
      {"capped-lpa", {0, 20, 20, 50, 20}, 57},  // the cap is 1
      {"min-area", {0, 20, 20, 50, 20}, 57},
      {"min-time", {0, 6.5, 10.5, 24, 18}, 26.5},
      {"ect", {0, 6.5, 10.5, 24, 18}, 26.5},
  };
  for (const Row& row : rows) {
    CAPTURE(row.strategy);
    const Run found = run(row.strategy, instance);
    CHECK(found.metrics.makespan == row.makespan);
    CHECK(starts(found, 5) == row.starts);
    CHECK(found.metrics.lower_bound == 20.5);
    CHECK(found.metrics.attempts == 5);
  }
}

TEST_CASE("simulate: one task that could use the whole machine gets its share of it") {
  const Instance instance = of(100, {Speedup::amdahl_of_parts(100, 0)}, {});
  const Run found = run("capped-lpa", instance);
  CHECK(found.schedule.front().processors == 22);
  CHECK(found.metrics.makespan == doctest::Approx(4.545454545).epsilon(1e-10));
  CHECK(found.metrics.lower_bound == 1);
  CHECK(found.metrics.utilization == doctest::Approx(0.22));
}

TEST_CASE("simulate: rules of one instant, by hand") {
  const auto on = [](std::int64_t p, double time) {
    return Speedup::roofline(static_cast<double>(p) * time, p);  // min-time gives it p
  };
  SUBCASE("what completes gives back before anything starts; then lower tasks first") {
    // 3 and 2 become available at 5, both want all: 2 first, although 0 releases 3 and 1
    // releases 2.
    const Instance instance = of(2, {on(1, 5), on(1, 5), on(2, 1), on(2, 1)}, {{0, 3}, {1, 2}});
    CHECK(starts(run("min-time", instance), 4) == std::vector<double>{0, 0, 5, 6});
  }
  SUBCASE("a task that does not fit is passed over and keeps its place") {
    const Instance instance = of(3, {on(2, 5), on(2, 1), on(1, 7)}, {});
    CHECK(starts(run("min-time", instance), 3) == std::vector<double>{0, 5, 0});
  }
  SUBCASE("under ect a hole is not refilled: task 2 goes behind task 1") {
    const Instance instance = of(3, {on(2, 5), on(2, 1), on(1, 7)}, {});
    // Task 1: two processors at 5, or one at 0 for 2 s: the latter. Task 2: one processor at 2.
    const Run found = run("ect", instance);
    CHECK(starts(found, 3) == std::vector<double>{0, 0, 2});
    CHECK(found.schedule[1].processors == 1);
  }
  SUBCASE("a task without work releases its children at the same instant") {
    const Instance instance =
        of(1, {Speedup{}, on(1, 2), Speedup{}, on(1, 3)}, {{0, 1}, {1, 2}, {2, 3}});
    const Run found = run("min-time", instance);
    CHECK(starts(found, 4) == std::vector<double>{0, 0, 2, 2});
    CHECK(found.metrics.makespan == 5);
  }
  SUBCASE(
      "a failed attempt joins the queue behind what waits already; children wait for a success") {
    const std::vector<std::int64_t> failures = {1, 0, 0};
    const Instance instance = of(1, {on(1, 2), on(1, 3), on(1, 1)}, {{0, 2}});
    const Run found = run("min-time", instance, failures);
    REQUIRE(found.schedule.size() == 4);
    CHECK(found.schedule[0] == Attempt{0, 1, 0, 2, 1, true});
    CHECK(found.schedule[1] == Attempt{1, 1, 2, 5, 1, false});
    CHECK(found.schedule[2] == Attempt{0, 2, 5, 7, 1, false});
    CHECK(found.schedule[3] == Attempt{2, 1, 7, 8, 1, false});
    CHECK(found.metrics.attempts == 4);
    CHECK(found.metrics.lower_bound == 8);  // 2 * 2 + 3 + 1
  }
  SUBCASE("a graph of tasks without work has a bound of 0 and no ratio") {
    const Run found =
        run("capped-lpa", of(4, {Speedup::roofline(0, 1), Speedup::roofline(0, 3)}, {{0, 1}}));
    CHECK(found.metrics.makespan == 0);
    CHECK(!found.metrics.ratio);
    CHECK(!found.metrics.utilization);
  }
}

TEST_CASE("simulate: queue orders by hand") {
  // Three tasks wait behind task 0 on 4 processors; durations 4, 6, 5, processors 3, 2, 4.
  const auto on = [](std::int64_t p, double time) {
    return Speedup::roofline(static_cast<double>(p) * time, p);
  };
  const Instance instance =
      of(4, {on(4, 1), on(3, 4), on(2, 6), on(4, 5), on(1, 9)}, {{0, 1}, {0, 2}, {0, 3}, {1, 4}});
  const auto first = [&](const char* strategy) { return run(strategy, instance).schedule[1].task; };
  CHECK(first("min-time:priority=fifo") == 1);
  CHECK(first("min-time:priority=lpt") == 2);           // 6 s
  CHECK(first("min-time:priority=hpa") == 3);           // 4 processors
  CHECK(first("min-time:priority=la") == 3);            // 20
  CHECK(first("min-time:priority=bottom-level") == 1);  // 4 + 9
}

TEST_CASE("simulate: one processor takes the sum of all work, whatever the strategy") {
  CHECK(rc::check([](std::uint64_t key) {
    Stream random({.instance = key});
    for (const SpeedupModel model : kModels) {
      const Instance instance = random_instance(random, model, 20, 1);
      double sum = 0;
      for (const Speedup& task : instance.tasks) sum += task.time(1);
      for (const char* strategy : {"capped-lpa", "min-time", "min-area", "fraction:0.1", "ect"}) {
        const double makespan = run(strategy, instance).metrics.makespan;
        RC_ASSERT(makespan == doctest::Approx(sum).epsilon(1e-12));
      }
    }
  }));
}

TEST_CASE("simulate: the tree schedules exactly as the scan of the list does") {
  CHECK(rc::check([](std::uint64_t key) {
    Stream random({.instance = key});
    for (const SpeedupModel model : kModels) {
      const Instance instance = random_instance(random, model, 60, 20);
      const auto failures = random_failures(random, instance.size());
      for (const char* text : kListStrategies) {
        const auto strategy = make(text, instance);
        Schedule schedule;
        static_cast<void>(simulate(instance, *strategy, failures, &schedule));
        RC_ASSERT(schedule == schedule_by_scan(instance, *strategy, failures));
      }
    }
  }));
}

TEST_CASE("simulate: every schedule obeys the model; lists never idle while a task fits") {
  CHECK(rc::check([](std::uint64_t key) {
    Stream random({.instance = key});
    for (const SpeedupModel model : kModels) {
      const Instance instance = random_instance(random, model, 60, 60);
      const auto failures = random_failures(random, instance.size());
      const auto valid = [&](const char* text, Idling idling) {
        const Run found = run(text, instance, failures);
        const Status status = validate(instance, failures, found.schedule, idling);
        if (!status) RC_FAIL(std::string(text) + ": " + status.error().text());
        RC_ASSERT(found.metrics.makespan >= found.metrics.lower_bound * (1 - 1e-12));
      };
      for (const char* text : kListStrategies) valid(text, Idling::forbidden);
      valid("ect", Idling::allowed);
    }
  }));
}

TEST_CASE("simulate: capped-lpa stays within 1 / mu of the lower bound, in any order") {
  CHECK(rc::check([](std::uint64_t key) {
    Stream random({.instance = key});
    for (const SpeedupModel model : kModels) {
      const Instance instance = random_instance(random, model, 60, 60);
      const auto failures = random_failures(random, instance.size());
      for (const char* text :
           {"capped-lpa", "capped-lpa:priority=lpt", "capped-lpa:priority=bottom-level"}) {
        const auto strategy = make(text, instance);
        const Metrics found = simulate(instance, *strategy, failures);
        RC_ASSERT(found.makespan <=
                  strategy->proven_ratio().value() * found.lower_bound * (1 + 1e-12));
      }
    }
  }));
}

TEST_CASE("simulate: durations twice as long make everything twice as long") {
  CHECK(rc::check([](std::uint64_t key) {
    Stream random({.instance = key});
    const Instance once = random_instance(random, SpeedupModel::mix, 40, 20);
    Instance twice = once;
    for (Speedup& task : twice.tasks) {
      task = Speedup::mix_of_parts(2 * task.parallel_work(), 2 * task.sequential_work(),
                                   task.max_parallelism(), 2 * task.overhead());
    }
    for (const char* text : {"capped-lpa", "min-time", "ect", "min-area:priority=lpt"}) {
      // A power of two is exact in binary.
      RC_ASSERT(run(text, twice).metrics.makespan == 2 * run(text, once).metrics.makespan);
    }
  }));
}

TEST_CASE("simulate: renumbering the tasks of a graph without ties changes nothing but names") {
  CHECK(rc::check([](std::uint64_t key) {
    Stream random({.instance = key});
    Instance instance = random_instance(random, SpeedupModel::amdahl, 30, 16);
    // Of continuous works no two sums are equal; the queue is kept in an order that has no ties
    // either.
    for (Speedup& task : instance.tasks) {
      task = Speedup::amdahl_of_parts(random.uniform(1, 50), random.uniform(0, 5));
    }
    std::vector<TaskIndex> position(instance.size());
    std::iota(position.begin(), position.end(), TaskIndex{0});
    for (std::size_t i = position.size(); i > 1; --i) {
      std::swap(
          position[i - 1],
          position[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i) - 1))]);
    }
    Instance moved = instance;
    moved.graph = holdfast::testing::renumbered(instance.graph, position);
    for (std::size_t task = 0; task < instance.size(); ++task) {
      moved.tasks[position[task]] = instance.tasks[task];
    }
    const char* text = "capped-lpa:alpha=3:mu=0.6:priority=lpt";
    RC_ASSERT(run(text, moved).metrics.makespan == run(text, instance).metrics.makespan);
  }));
}

TEST_CASE("simulate: a failed attempt is one more task of the chain") {
  // f failures of a task are the same as f copies of it before it, for the makespan and the bound.
  CHECK(rc::check([](std::uint64_t key) {
    Stream random({.instance = key});
    const Instance instance = random_instance(random, SpeedupModel::communication, 15, 8);
    const auto failures = random_failures(random, instance.size());
    DagBuilder build;
    Instance chains;
    chains.processors = instance.processors;
    std::vector<std::size_t> last(instance.size());
    for (std::size_t task = 0; task < instance.size(); ++task) {
      for (std::int64_t k = 0; k <= failures[task]; ++k) {
        const std::size_t copy = build.add_task();
        chains.tasks.push_back(instance.tasks[task]);
        if (k > 0) {
          build.add_parent(copy - 1);
        } else {
          for (const TaskIndex parent : instance.graph.parents(task)) {
            build.add_parent(last[parent]);
          }
        }
        last[task] = copy;
      }
    }
    chains.graph = std::move(build).build().value();
    for (const char* text : {"capped-lpa", "min-time", "ect"}) {
      const Metrics with_failures = run(text, instance, failures).metrics;
      const Metrics with_copies = run(text, chains).metrics;
      RC_ASSERT(with_failures.makespan == with_copies.makespan);
      RC_ASSERT(with_failures.lower_bound == doctest::Approx(with_copies.lower_bound));
    }
  }));
}

TEST_CASE("simulate: as-given starts nothing early and follows the allocations of each attempt") {
  Instance instance = of(4, {Speedup::amdahl_of_parts(8, 0), Speedup::amdahl_of_parts(4, 0)}, {});
  instance.given = {{.allocations = {2, 4}, .start = 0}, {.allocations = {2}, .start = 1}};
  const std::vector<std::int64_t> failures = {1, 0};
  const Run found = run("as-given", instance, failures);
  REQUIRE(found.schedule.size() == 3);
  CHECK(found.schedule[0] == Attempt{0, 1, 0, 4, 2, true});
  CHECK(found.schedule[1] == Attempt{1, 1, 1, 3, 2, false});
  CHECK(found.schedule[2] == Attempt{0, 2, 4, 6, 4, false});
  CHECK(validate(instance, failures, found.schedule, Idling::allowed));
}

TEST_CASE("simulate: 10^5 tasks, each strategy, checked") {
  Stream random({.instance = 11});
  Instance instance;
  instance.processors = 1000;
  DagBuilder build;
  for (std::size_t task = 0; task < 100'000; ++task) {
    build.add_task();
    for (int k = 0; k < 3 && task > 200; ++k) {
      build.add_parent(task - static_cast<std::size_t>(random.integer(1, 200)));
    }
    instance.tasks.push_back(
        Speedup::amdahl_of_parts(random.uniform(1, 1000), random.uniform(0, 10)));
  }
  instance.graph = std::move(build).build().value();
  for (const char* text : {"capped-lpa", "min-time", "ect", "capped-lpa:priority=bottom-level"}) {
    CAPTURE(text);
    const Run found = run(text, instance);
    const bool places = std::string(text) == "ect";
    CHECK(validate(instance, {}, found.schedule, places ? Idling::allowed : Idling::forbidden));
  }
}

}  // namespace holdfast::taskgraph
