#include "holdfast/domains/capacity/simulate.hpp"

#include "holdfast/domains/capacity/categories.hpp"
#include "holdfast/domains/capacity/generator.hpp"
#include "holdfast/domains/capacity/strategies.hpp"
#include "holdfast/domains/capacity/validate.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <numeric>
#include <string>

using namespace holdfast;
using namespace holdfast::capacity;

namespace {

struct Result_ {
  Metrics metrics;
  std::vector<Execution> log;
  std::vector<Task> tasks;
};

Result_ run_of(const Instance& instance, std::string_view strategy) {
  const auto entries = strategy_entries();
  const auto spec = parse_strategy(strategy, entries).value();
  Result_ out;
  out.tasks = tasks_of(instance);
  out.metrics = simulate(
      instance, out.tasks,
      make_strategy(spec, instance, Stream({.purpose = Purpose::strategy})).value(), &out.log);
  return out;
}

// "job@machine:start-end" of every run, in order of start then job.
std::string text_of(const Result_& run) {
  std::vector<Execution> log = run.log;
  std::sort(log.begin(), log.end(), [&](const Execution& a, const Execution& b) {
    return std::tuple(a.start, run.tasks[a.task].job) < std::tuple(b.start, run.tasks[b.task].job);
  });
  std::string out;
  for (const Execution& e : log) {
    out += std::to_string(run.tasks[e.task].job) + "@" + std::to_string(e.machine) + ":" +
           std::to_string(e.start) + "-" + std::to_string(e.end) +
           (e.outcome == Execution::Outcome::killed ? "x " : " ");
  }
  return out;
}

Instance v1() {
  Instance instance{.machines = 3,
                    .safe_machines = 1,
                    .cores = 4,
                    .alive = {{0, 3}, {10, 1}, {20, 3}},
                    .begin = 0,
                    .end = 40,
                    .jobs = {},
                    .reference = {},
                    .distance = 1,
                    .given = {}};
  const auto add = [&](std::int64_t r, std::int64_t c, std::int64_t w, double category) {
    instance.jobs.push_back({std::to_string(instance.jobs.size()), r, c, w, category});
  };
  add(0, 4, 30, .2), add(0, 2, 8, .9), add(1, 2, 12, .5), add(2, 4, 6, .95), add(5, 1, 20, .4),
      add(12, 3, 5, .9), add(21, 2, 4, 1.0);
  return instance;
}

}  // namespace

TEST_CASE("V1: first fit, event by event") {
  const Result_ run = run_of(v1(), "first-fit-aware");
  CHECK(text_of(run) ==
        "0@0:0-30 1@1:0-8 2@1:1-10x 3@2:2-8 4@1:8-10x 2@1:20-32 4@1:20-40 5@2:20-25 6@2:25-29 ");
  CHECK(run.metrics.capacity == 400);
  CHECK(run.metrics.useful == 227);
  CHECK(run.metrics.aborted == 20);
  CHECK(run.metrics.aborted_time == 11);
  CHECK(run.metrics.kills == 2);
  CHECK(run.metrics.completed == 7);
  CHECK(run.metrics.largest_stretch == doctest::Approx(2.6));
}

TEST_CASE("V1: the three target policies agree, event by event") {
  for (const std::string_view strategy : {"target-stretch", "target-asap", "packed-target-asap"}) {
    CAPTURE(strategy);
    const Result_ run = run_of(v1(), strategy);
    CHECK(
        text_of(run) ==
        "0@0:0-30 1@1:0-8 4@2:5-10x 3@1:8-10x 2@1:20-32 4@1:20-40 3@0:30-36 5@1:32-37 6@0:36-40 ");
    CHECK(run.metrics.useful == 227);
    CHECK(run.metrics.aborted == 13);
    CHECK(run.metrics.aborted_time == 7);
    CHECK(run.metrics.largest_stretch == doctest::Approx(17.0 / 3));
  }
}

TEST_CASE("V2 and V2b: the adversary of Theorem 18") {
  Instance instance{.machines = 1,
                    .safe_machines = 0,
                    .cores = 1,
                    .alive = {{0, 1}, {2, 0}},
                    .begin = 0,
                    .end = 3,
                    .jobs = {{"0", 0, 1, 3, {}}},
                    .reference = {},
                    .distance = {},
                    .given = {}};
  Result_ run = run_of(instance, "first-fit-aware");
  CHECK(run.metrics.kills == 1);
  CHECK(run.metrics.aborted_time == 2);
  CHECK(run.metrics.useful == 0);
  CHECK(run.metrics.aborted == run.metrics.capacity);
  instance.jobs.push_back({"1", 1, 1, 1, {}});
  run = run_of(instance, "first-fit-aware");
  CHECK(run.metrics.useful == 0);
  instance.given = {{1, 0, 1}};
  run = run_of(instance, "as-given");
  CHECK(2 * run.metrics.useful == run.metrics.capacity);
}

TEST_CASE("V3: categories by the share of the work in jobs at least as long") {
  const std::vector<ReferenceJob> reference = {{10, 1}, {20, 2}, {30, 1}};
  const Categories categories(reference, Profile::standard, 0);
  CHECK(categories.of(30) == 30.0 / 80);
  CHECK(categories.of(20) == 70.0 / 80);
  CHECK(categories.of(10) == 1);
  CHECK(categories.of(31) == 0);
  CHECK(categories.of(5) == 1);
  CHECK(categories.of(25) == 30.0 / 80);
}

TEST_CASE("V5: the author's quantiles, with his slip at the largest") {
  const std::vector<ReferenceJob> reference = {{1, 4}, {2, 1}, {4, 1}};
  const Categories categories(reference, Profile::author, 1000, 10);
  CHECK(categories.of(1) == doctest::Approx(0.7));
  CHECK(categories.of(2) == doctest::Approx(0.5));
  CHECK(categories.of(3) == doctest::Approx(0.5));
  CHECK(categories.of(4) == 1);
  CHECK(categories.of(5) == doctest::Approx(0.1));
}

TEST_CASE("V5: the author's generator") {
  GeneratorParameters p{.family = Family::three_types, .profile = Profile::author};
  CHECK(mean_length(p) == 5437);
  const auto jobs = synthetic_jobs(p, Stream(StreamKey{}));
  CHECK(jobs.size() == 60479);
  CHECK(jobs.front().release == 30);
  CHECK(jobs.back().release == 1814370);
  p.jobs = 8000;
  CHECK(mean_length(p) == 13593);
}

TEST_CASE(
    "V7: three-partition, first fit misses the deadline in one order and meets it in another") {
  const std::vector<std::int64_t> numbers = {6, 6, 6, 7, 7, 8};
  Instance instance = three_partition(numbers, 1).value();
  CHECK(instance.end == 80);
  Result_ run = run_of(instance, "first-fit-aware");
  CHECK(text_of(run) == "0@0:0-6 1@1:0-6 2@0:6-12 3@1:6-13 4@0:12-19 5@1:13-20x 5@0:40-48 ");
  CHECK(run.metrics.kills == 1);
  CHECK(run.metrics.makespan == 48);
  CHECK(run.metrics.useful == 40);
  CHECK(run.metrics.capacity == 120);
  CHECK(run.metrics.aborted == 7);
  instance = three_partition(std::vector<std::int64_t>{8, 7, 7, 6, 6, 6}, 1).value();
  CHECK(run_of(instance, "first-fit-aware").metrics.makespan == 20);
  CHECK_FALSE(three_partition(std::vector<std::int64_t>{1, 7, 7, 6, 6, 13}, 1));
}

TEST_CASE("V4: the walk stays in its range, moves by its step, and is 24 on average") {
  double sum = 0;
  std::int64_t count = 0;
  for (std::uint64_t s = 0; s < 200; ++s) {
    const auto steps = resource_walk({}, Stream({.scenario = s}));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      CHECK(steps[i].machines % 2 == 0);
      CHECK(steps[i].machines >= 16);
      CHECK(steps[i].machines <= 32);
      if (i == 0) continue;
      CHECK(std::abs(steps[i].machines - steps[i - 1].machines) == 2);
      const std::int64_t length = steps[i].time - steps[i - 1].time;
      sum += static_cast<double>(steps[i - 1].machines * length);
      count += length;
    }
  }
  CHECK(sum / static_cast<double>(count) == doctest::Approx(24).epsilon(0.01));
}

TEST_CASE(
    "every strategy, both profiles, random inputs: the schedule is valid and the books close") {
  CHECK(rc::check([] {
    GeneratorParameters p{
        .family = static_cast<Family>(*rc::gen::inRange(0, 4)),
        .jobs = *rc::gen::inRange(20, 400),
        .mean_machines = *rc::gen::inRange(4, 12),
        .machine_range = 4,
        .period = *rc::gen::inRange(200, 4000),
        .cores = *rc::gen::inRange(8, 25),
        .begin = 20000,
        .end = 60000,
        .profile = *rc::gen::arbitrary<bool>() ? Profile::author : Profile::standard};
    if (p.profile == Profile::author) p.jobs *= 10;
    p.machine_range = std::min<std::int64_t>(p.mean_machines, *rc::gen::inRange(0, 9));
    const Instance instance = generate(p, *rc::gen::arbitrary<std::uint64_t>(), 0, 0);
    for (const StrategyEntry& entry : strategy_entries()) {
      if (entry.name == "as-given") continue;
      const Result_ run = run_of(instance, entry.name);
      std::vector<std::int64_t> rank(static_cast<std::size_t>(instance.machines));
      std::iota(rank.begin(), rank.end(), std::int64_t{0});
      if (entry.name == "first-fit-unaware" && p.profile == Profile::standard)
        continue;  // ranks are its own
      const Status valid = validate(instance, run.tasks, run.metrics, run.log, rank);
      if (!valid) RC_FAIL(std::string(entry.name) + ": " + valid.error().text());
    }
  }));
}

TEST_CASE("a capacity that never changes kills nothing") {
  Instance instance = generate(
      {.jobs = 300, .mean_machines = 8, .machine_range = 0, .begin = 1000, .end = 50000}, 3, 0, 0);
  for (const StrategyEntry& entry : strategy_entries()) {
    if (entry.name == "as-given") continue;
    CAPTURE(entry.name);
    CHECK(run_of(instance, entry.name).metrics.kills == 0);
  }
}
