#include "holdfast/domains/workflow/aged_run.hpp"

#include "holdfast/domains/workflow/expected_bound.hpp"
#include "holdfast/domains/workflow/testing.hpp"
#include "holdfast/domains/workflow/validate.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace holdfast::workflow {
namespace {

using testing::instance_of;
using testing::key;
using testing::random_instance;
using testing::strategy;

struct Ran {
  Metrics metrics;
  std::vector<TaskRun> tasks;
};

Ran run(const Instance& instance, std::string_view text, AgedFailures& failures) {
  REQUIRE(check(instance).has_value());
  const PreparedInstance prepared(instance);
  const auto rule = strategy(text, instance);
  AgedSimulator simulator(prepared, *rule, decided(prepared, *rule));
  Ran out;
  const auto metrics = simulator.run(failures, &out.tasks);
  REQUIRE(metrics.has_value());
  out.metrics = *metrics;
  const Status valid = validate(instance, out.tasks);
  CAPTURE((valid ? std::string() : valid.error().text()));
  REQUIRE(valid.has_value());
  REQUIRE(out.metrics.makespan >= *expected_bound(instance) * (1 - 1e-12));
  return out;
}

AgedFailures given(const Instance& instance, const std::vector<FailureEvent>& events) {
  const AgeGroup all{.age = 0, .count = instance.processors};
  return {FailureTrace::given(std::span(&all, 1), events).value(), 0};
}

// The same by definition: all processors one by one, activities one by one, all failures in one list.
double by_definition(const Instance& instance, std::span<const Cut> cuts,
                     std::vector<FailureEvent> events) {
  const FailureFree schedule = failure_free_schedule(instance);
  std::vector<double> ends(instance.size(), 0.0);
  std::vector<double> free_at(static_cast<std::size_t>(instance.processors), 0.0);
  double last = 0, makespan = 0;
  for (const TaskIndex task : schedule.order) {
    double start = last;
    for (const TaskIndex parent : instance.graph.parents(task))
      start = std::max(start, ends[parent]);
    std::vector<double> sorted = free_at;
    std::ranges::sort(sorted);
    start = std::max(start, sorted[instance.width(task) - 1]);
    std::set<std::int64_t> mine;
    for (std::size_t p = 0; p < free_at.size() && mine.size() < instance.width(task); ++p) {
      if (free_at[p] <= start) mine.insert(static_cast<std::int64_t>(p));
    }
    // The failures of these processors, of which each is met once.
    std::vector<double> strikes;
    for (const FailureEvent& event : events) {
      if (event.date >= start && mine.contains(event.processor)) strikes.push_back(event.date);
    }
    double now = start;
    std::size_t next = 0;
    const auto segments = static_cast<double>(cuts[task].segments);
    const double activity = instance.lengths[task] / segments + instance.checkpoint(task);
    for (std::int64_t done = 0; done < cuts[task].segments;) {
      if (next == strikes.size() || strikes[next] >= now + activity) {
        now += activity;
        ++done;
        continue;
      }
      for (bool is_ready = false; !is_ready;) {
        const double up = strikes[next] + instance.downtime;
        while (next < strikes.size() && strikes[next] < up) ++next;
        is_ready = next == strikes.size() || strikes[next] >= up + instance.recovery(task);
        if (is_ready) now = up + instance.recovery(task);
      }
    }
    ends[task] = now;
    for (const std::int64_t p : mine) free_at[static_cast<std::size_t>(p)] = now;
    last = start;
    makespan = std::max(makespan, now);
  }
  return makespan;
}

void compare(std::uint64_t problems) {
  for (std::uint64_t k = 0; k < problems; ++k) {
    CAPTURE(k);
    Stream random({.seed = k, .purpose = Purpose::tool, .entity = 1});
    Instance instance = random_instance(k, static_cast<std::size_t>(random.integer(1, 12)),
                                        random.integer(1, 6), random.chance(0.5));
    instance.law = weibull_law_of_mean(random.uniform(0.5, 1.5), instance.mtbf);
    std::vector<FailureEvent> events;
    double date = 0;
    for (std::int64_t i = random.integer(0, 40); i > 0; --i) {
      date += random.uniform(0.01, 30);
      events.push_back({.date = date, .processor = random.integer(0, instance.processors - 1)});
    }
    for (const char* text : {"min-exp", "check-more", "none", "fixed:7"}) {
      CAPTURE(text);
      const PreparedInstance prepared(instance);
      const std::vector<Cut> cuts = decided(prepared, *strategy(text, instance));
      AgedFailures failures = given(instance, events);
      const double found = run(instance, text, failures).metrics.makespan;
      const double expected = by_definition(instance, cuts, events);
      REQUIRE(std::fabs(found - expected) <= 1e-12 * expected);
      // Without failures it is the replay of the tasks with their checkpoints.
      AgedFailures none = given(instance, {});
      REQUIRE(run(instance, text, none).metrics.makespan ==
              doctest::Approx(Simulator(prepared, cuts).failure_free_makespan()).epsilon(1e-12));
    }
    for (const char* text : {"next-step", "critical"}) {
      CAPTURE(text);
      AgedFailures failures = given(instance, events);
      static_cast<void>(run(instance, text, failures));
    }
  }
}

}  // namespace

TEST_CASE("aged run: two tasks by hand") {
  // Two processors. The first task, 10 s and a checkpoint of 1 s, takes both and is struck on either at 4 and 6 s: the second one
  // falls into the downtime of 3 s. Up at 7, recovered at 9, done at 20. The second takes processor 0, and the failure of
  // processor 1 at 22 s does not concern it.
  Instance instance = instance_of(2, {10, 5}, {{0, 1}});
  instance.widths = {2, 1};
  instance.recoveries = {2};
  instance.downtime = 3;
  instance.mtbf = 1000;
  instance.law = weibull_law_of_mean(0.7, 1000);
  AgedFailures failures = given(instance, {{4, 0}, {6, 1}, {22, 1}});
  const Ran ran = run(instance, "none", failures);
  CHECK(ran.metrics.makespan == 26);
  CHECK(ran.metrics.failures == 1);
  CHECK(ran.tasks[1].start == 20);
  // The ages at 20 s: 16 s since the first, 14 s since the second.
  const std::uint32_t both[] = {0, 1};
  CHECK(failures.ages(both, 20).groups == std::vector<AgeGroup>{{14, 1}, {16, 1}});
}

TEST_CASE("aged run: every run is what the definition says") {
  compare(200);
}
TEST_CASE("aged run: ten thousand problems" * doctest::test_suite("thorough")) {
  compare(10'000);
}

TEST_CASE("aged run: a law without memory has the means of the rules without ages") {
  Instance instance = random_instance(5, 30, 8, true);
  instance.mtbf = 400;
  const PreparedInstance prepared(instance);
  const auto rule = strategy("check-more", instance);
  Simulator plain(prepared, decided(prepared, *rule));
  Instance aged_instance = instance;
  aged_instance.law = exponential_law(instance.mtbf);
  const PreparedInstance aged_prepared(aged_instance);
  AgedSimulator aged(aged_prepared, *rule, decided(prepared, *rule));
  Moments without, with;
  for (std::uint64_t scenario = 0; scenario < 3000; ++scenario) {
    without.add(plain.run_plainly(key(scenario)).makespan);
    AgedFailures failures(aged_prepared.law, aged_instance, key(scenario, 2));
    with.add(aged.run(failures)->makespan);
  }
  const double error = std::sqrt((*without.variance() + *with.variance()) / 3000);
  CHECK(std::fabs(without.mean() - with.mean()) < 4 * error);
}

TEST_CASE("aged run: which processors fail first is not known from their numbers") {
  // One task of one processor on a machine of 50: it is struck in one run of 50 by the first failure of the machine.
  Instance instance = instance_of(50, {1});
  instance.mtbf = 1e5;
  instance.law = weibull_law_of_mean(0.6, instance.mtbf);
  const auto law = std::make_shared<const TabulatedLaw>(*instance.law);
  std::int64_t struck = 0;
  const std::uint32_t first[] = {0};
  std::vector<std::uint32_t> all(50);
  for (std::uint32_t i = 0; i < 50; ++i) all[i] = i;
  for (std::uint64_t scenario = 0; scenario < 5000; ++scenario) {
    AgedFailures failures(law, instance, key(scenario));
    const double any = failures.next(all, 0, 1e7);
    struck += failures.next(first, 0, 1e7) == any ? 1 : 0;
  }
  CHECK(struck > 60);
  CHECK(struck < 140);  // 100 +- 4 standard errors
}

TEST_CASE("aged run: a task that cannot end is refused") {
  Instance instance = instance_of(1, {1000});
  instance.mtbf = 0.01;
  instance.law = weibull_law_of_mean(1.5, 0.01);
  const PreparedInstance prepared(instance);
  const auto rule = strategy("none", instance);
  AgedSimulator simulator(prepared, *rule, decided(prepared, *rule));
  AgedFailures failures(prepared.law, instance, key(0));
  const auto metrics = simulator.run(failures);
  REQUIRE(!metrics.has_value());
  CHECK(metrics.error().code == ErrorCode::infeasible);
}

TEST_CASE("critical: between Young/Daly and check-more, and the latter where there is no slack") {
  for (std::uint64_t k = 0; k < 200; ++k) {
    CAPTURE(k);
    const Instance instance = random_instance(k, 12, 4, false);
    const auto least = testing::segments(instance, "min-exp");
    const auto found = testing::segments(instance, "critical");
    const auto most = testing::segments(instance, "check-more");
    for (std::size_t task = 0; task < found.size(); ++task) {
      REQUIRE(least[task] <= found[task]);
      REQUIRE(found[task] <= most[task]);
    }
    Instance alone = instance_of(9, std::vector<double>(9, instance.lengths[0] + 1));
    alone.mtbf = 50;  // equal tasks side by side: none has slack
    CHECK(testing::segments(alone, "critical") == testing::segments(alone, "check-more"));
  }
}

TEST_CASE("task planner: one segment is planned where it is certainly the best") {
  // The same plan without the short cut: a weight of 1 on processors whose hazard is far too small for two segments.
  for (std::uint64_t k = 0; k < 300; ++k) {
    CAPTURE(k);
    Stream random({.seed = k, .purpose = Purpose::tool});
    Instance instance = instance_of(4, {random.uniform(1, 2000)});
    instance.widths = {4};
    instance.checkpoints = {random.uniform(0.5, 30)};
    instance.mtbf = random.uniform(1e3, 1e6);
    instance.law = weibull_law_of_mean(random.uniform(0.5, 1.5), instance.mtbf);
    const auto law = std::make_shared<const TabulatedLaw>(*instance.law);
    const Ages ages = same_age(4, random.uniform(1, 1e5));
    TaskPlanner planner(instance, law, {1.0});
    const auto cuts = planner.plan(0, ages, instance.lengths[0]);
    // By brute force over equal segments: no number of them has a larger share.
    const auto share = [&](std::int64_t count) {
      double saved = 0, time = 0;
      const auto lambda = [&](double x) {
        return platform_cumulative_hazard(*instance.law, ages, x);
      };
      const double segment = instance.lengths[0] / static_cast<double>(count);
      const double end = instance.lengths[0] + static_cast<double>(count) * instance.checkpoint(0);
      for (std::int64_t i = 1; i <= count; ++i) {
        const double until = static_cast<double>(i) * (segment + instance.checkpoint(0));
        saved += segment * std::exp(-lambda(until));
      }
      constexpr int kSteps = 400;
      for (int i = 0; i < kSteps; ++i) time += std::exp(-lambda(end * (i + 0.5) / kSteps));
      return saved / (time * end / kSteps);
    };
    double best = 0;
    for (std::int64_t count = 1; count <= 12; ++count) best = std::max(best, share(count));
    if (cuts.size() == 1) CHECK(share(1) >= best * (1 - 1e-4));
  }
}

}  // namespace holdfast::workflow
