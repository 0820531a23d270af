#include "holdfast/domains/workflow/simulate.hpp"

#include "holdfast/domains/workflow/generator.hpp"
#include "holdfast/domains/workflow/plan.hpp"
#include "holdfast/domains/workflow/testing.hpp"
#include "holdfast/domains/workflow/validate.hpp"
#include "holdfast/kernel/statistics.hpp"
#include "holdfast/models/resilience/segment.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace holdfast;
using namespace holdfast::workflow;
namespace wt = holdfast::workflow::testing;

namespace {

std::vector<Cut> one_each(const Instance& instance) {
  return std::vector<Cut>(instance.size(), Cut{.segments = 1, .period = 1});
}

/// Mean of many runs of a single task, with its standard error.
Moments moments(const Execution& task, double rate, int count, bool plainly) {
  Instance instance = wt::instance_of(1, {task.length});
  instance.mtbf = 1 / rate;
  instance.checkpoints = {task.checkpoint};
  instance.recoveries = {task.recovery};
  instance.downtime = task.downtime;
  const PreparedInstance prepared(instance);
  const Cut cut{.segments = task.segments, .period = 1};
  Simulator simulator(prepared, std::span(&cut, 1));
  Moments out;
  std::vector<FirstFailure> first;
  for (int i = 0; i < count; ++i) {
    const StreamKey key = wt::key(static_cast<std::uint64_t>(i));
    prepared.failures.draw(key, first);
    out.add(plainly ? simulator.run_plainly(key).makespan : simulator.run(key, first).makespan);
  }
  return out;
}

}  // namespace

TEST_CASE("walk: a failure at the very end of a segment does not strike it, one just before does") {
  const Execution task{
      .length = 100, .segments = 2, .checkpoint = 10, .recovery = 5, .downtime = 1};
  struct Row {
    const char* why;
    std::vector<double> gaps;
    double duration;
    std::int64_t failures;
  };
  const Row rows[] = {
      {"none: 60 + 60", {}, 120, 0},
      {"half of the first: 30 + 1 + 5 + 60 + 60", {30}, 156, 1},
      {"in the second and in its recovery: 70 + 1 + 3 + 1 + 5 + 60", {70, 3}, 140, 2},
      {"as the first ends: 60 + 0 + 1 + 5 + 60", {60}, 126, 1},
      {"as the last ends: not struck", {120}, 120, 0},
      {"as the repeated segment ends: 30 + 1 + 65, then 0 + 1 + 5 + 60", {30, 65}, 162, 2},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    const ExposureOutcome outcome = walk_gaps(task, row.gaps);
    CHECK(outcome.duration == doctest::Approx(row.duration).epsilon(1e-14));
    CHECK(outcome.failures == row.failures);
  }
  Execution author = task;
  author.is_recovery_exposed = false;
  // 70 + 1 + 5, and 3 into the segment again: + 3 + 1 + 5 + 60.
  CHECK(walk_gaps(author, std::vector<double>{70, 3}).duration == doctest::Approx(145));
}

TEST_CASE("simulate: mean of a single task is the closed form, drawn either way") {
  struct Row {
    Execution task;
    double rate;
  };
  const Row rows[] = {
      {{.length = 100, .segments = 4, .checkpoint = 2, .recovery = 3, .downtime = 1}, 1e-2},
      {{.length = 100, .segments = 1, .checkpoint = 2, .recovery = 3, .downtime = 0}, 2e-3},
      {{.length = 50, .segments = 9, .checkpoint = 8, .recovery = 8, .downtime = 4}, 2e-2},
  };
  for (const Row& row : rows) {
    CAPTURE(row.rate);
    const auto count = static_cast<double>(row.task.segments);
    const double expected =
        count * expected_segment_time(row.task.length / count,
                                      {row.task.checkpoint, row.task.recovery, row.task.downtime},
                                      row.rate);
    for (const bool plainly : {false, true}) {
      CAPTURE(plainly);
      const Moments found = moments(row.task, row.rate, 40'000, plainly);
      CHECK(std::abs(found.mean() - expected) <= 4 * *found.standard_error());
    }
  }
}

TEST_CASE("plan: expects of a single task what is simulated, in both profiles") {
  Instance instance = wt::instance_of(1, {100});
  instance.checkpoints = {2};
  instance.recoveries = {60};
  instance.downtime = 1;
  instance.mtbf = 100;
  for (const Profile profile : {Profile::standard, Profile::author}) {
    CAPTURE(static_cast<int>(profile));
    instance.profile = profile;
    const PreparedInstance prepared(instance);
    const std::vector<Cut> cuts = decided(prepared, *wt::strategy("fixed:30", instance));
    Simulator simulator(prepared, cuts);
    Moments makespans;
    std::vector<FirstFailure> first;
    for (std::uint64_t scenario = 0; scenario < 40'000; ++scenario) {
      prepared.failures.draw(wt::key(scenario), first);
      makespans.add(simulator.run(wt::key(scenario), first).makespan);
    }
    const double planned = make_plan(prepared, cuts, false).tasks[0].expected_time;
    // 4 segments of 27 s: (100 + 1) e^0.6 and 100 + 1 + 60 times 4 (e^0.27 - 1).
    CHECK(planned == doctest::Approx(profile == Profile::author ? 199.617 : 228.176).epsilon(1e-5));
    CHECK(std::abs(makespans.mean() - planned) <= 4 * *makespans.standard_error());
  }
}

TEST_CASE("simulate: skipping who does not fail gives the same mean and number of failures") {
  Instance instance = wt::random_instance(5, 60, 8, false);
  instance.mtbf = 3000;
  const PreparedInstance prepared(instance);
  Simulator simulator(prepared, decided(prepared, *wt::strategy("check-more", instance)));
  Moments makespans[2], failures[2];
  std::vector<FirstFailure> first;
  for (std::uint64_t scenario = 0; scenario < 20'000; ++scenario) {
    const StreamKey key = wt::key(scenario);
    prepared.failures.draw(key, first);
    const Metrics skipped = simulator.run(key, first);
    const Metrics plain = simulator.run_plainly(key);
    makespans[0].add(skipped.makespan);
    makespans[1].add(plain.makespan);
    failures[0].add(static_cast<double>(skipped.failures));
    failures[1].add(static_cast<double>(plain.failures));
  }
  const auto agree = [](const Moments(&pair)[2]) {
    const double error = std::hypot(*pair[0].standard_error(), *pair[1].standard_error());
    return std::abs(pair[0].mean() - pair[1].mean()) <= 4 * error;
  };
  CHECK(agree(makespans));
  CHECK(agree(failures));
  CHECK(failures[0].mean() > 0.5);  // something was tested
}

TEST_CASE("replay: starting at the first failure is the same as walking through all, to the bit") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const bool is_wide = seed % 3 == 0;
    Instance instance = wt::random_instance(seed, 300, seed % 2 == 0 ? 7 : 400, is_wide);
    instance.mtbf = 20'000;
    const PreparedInstance prepared(instance);
    Simulator simulator(prepared, decided(prepared, *wt::strategy("min-exp", instance)));
    std::vector<FirstFailure> first;
    for (std::uint64_t scenario = 0; scenario < 20; ++scenario) {
      const StreamKey key = wt::key(scenario, seed);
      prepared.failures.draw(key, first);
      const Metrics fast = simulator.run(key, first);
      std::vector<TaskRun> tasks;
      const Metrics slow = simulator.run(key, first, &tasks);  // with its timeline: walked through
      CHECK(fast.makespan == slow.makespan);
      CHECK(fast.failures == slow.failures);
      const Status valid = validate(instance, tasks);
      CHECK_MESSAGE(valid.has_value(), (valid ? "" : valid.error().text()));
    }
  }
}

TEST_CASE("replay: without failures and checkpoints it is the list schedule") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Instance instance =
        wt::random_instance(seed, 200, 1 + static_cast<std::int64_t>(seed % 9), seed % 2 == 1);
    for (const Priority priority :
         {Priority::lpt, Priority::fifo, Priority::bottom_level, Priority::spt}) {
      instance.priority = priority;
      instance.strict = seed % 4 == 3;
      const PreparedInstance prepared(instance);
      Replay replay(prepared.ranked, [&] {
        std::vector<double> durations;
        for (const TaskIndex task : prepared.ranked.task_of) {
          durations.push_back(instance.lengths[task]);
        }
        return durations;
      }());
      // A greedy list may start a small task of lower rank in a hole and then a wide one: the order
      // of starts is kept, so the replay is never later.
      CHECK(replay.makespan() == prepared.schedule.makespan);
    }
  }
}

TEST_CASE("replay: a longer duration never ends earlier; bounds from below hold") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const Instance instance = wt::random_instance(seed, 150, 5, seed % 2 == 1);
    const PreparedInstance prepared(instance);
    Stream stream({.seed = seed, .purpose = Purpose::durations});
    std::vector<double> durations;
    for (std::size_t i = 0; i < instance.size(); ++i) durations.push_back(stream.uniform(0, 50));
    const double before = Replay(prepared.ranked, durations).makespan();
    double area = 0;
    std::vector<double> by_task(instance.size());
    for (std::size_t rank = 0; rank < durations.size(); ++rank) {
      const TaskIndex task = prepared.ranked.task_of[rank];
      by_task[task] = durations[rank];
      area += durations[rank] * instance.width(task);
    }
    CHECK(before >= critical_path_length(instance.graph, by_task) * (1 - 1e-12));
    CHECK(before >= area / 5 * (1 - 1e-12));
    for (int i = 0; i < 20; ++i) {
      auto longer = durations;
      longer[static_cast<std::size_t>(stream.integer(0, 149))] += stream.uniform(0, 80);
      CHECK(Replay(prepared.ranked, longer).makespan() >= before);
    }
  }
}

TEST_CASE("concurrency: the sweep agrees with looking at every instant") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Instance instance = wt::random_instance(seed, 80, 6, seed % 2 == 1);
    for (const Profile profile : {Profile::standard, Profile::author}) {
      instance.profile = profile;
      const FailureFree schedule = failure_free_schedule(instance);
      const auto found = concurrency(instance, schedule);
      const auto start = [&](std::size_t task) { return schedule.starts[task]; };
      const auto end = [&](std::size_t task) { return start(task) + instance.lengths[task]; };
      for (std::size_t task = 0; task < instance.size(); ++task) {
        std::uint32_t expected = 0;
        const auto running_at = [&](double now) {
          std::uint32_t count = 0;
          for (std::size_t j = 0; j < instance.size(); ++j) {
            if (start(j) <= now && now < end(j)) ++count;
          }
          return count;
        };
        if (profile == Profile::author) {
          for (std::size_t j = 0; j < instance.size(); ++j) {
            if (start(j) < end(task) && start(task) < end(j)) ++expected;
          }
          expected = std::min(expected, 6U);
        } else {
          expected = running_at(start(task));
          for (std::size_t j = 0; j < instance.size(); ++j) {
            if (start(j) > start(task) && start(j) < end(task)) {
              expected = std::max(expected, running_at(start(j)));
            }
          }
        }
        CHECK(found[task] == std::max(1U, expected));
      }
    }
  }
}

TEST_CASE("virtual schedule: no run that keeps the order takes longer") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    // Some tasks have no length, and a checkpoint still.
    const Instance instance = wt::random_instance(seed, 60, 5, seed % 2 == 1);
    const PreparedInstance prepared(instance);
    Stream stream({.seed = seed, .purpose = Purpose::durations});
    std::vector<double> by_task(instance.size());
    for (std::size_t i = 0; i < by_task.size(); ++i) {
      by_task[i] = (instance.lengths[i] + 1) * stream.uniform(1, 3);
    }
    std::vector<double> by_rank;
    for (const TaskIndex task : prepared.ranked.task_of) by_rank.push_back(by_task[task]);
    const double actual = Replay(prepared.ranked, by_rank).makespan();
    CHECK(actual <= virtual_makespan(instance, prepared.schedule, by_task) * (1 + 1e-12));
  }
}

TEST_CASE("virtual schedule: tasks of no length take their checkpoints one after the other") {
  const Instance chain = wt::instance_of(1, {0, 0, 4}, {{0, 1}, {1, 2}});
  const PreparedInstance prepared(chain);
  // 1 s of each of the first two, 4 s of the third slowed down to 5: no less than what they take.
  const std::vector<double> durations = {1, 1, 5};
  CHECK(Replay(prepared.ranked, durations).makespan() == 7);
  CHECK(virtual_makespan(chain, prepared.schedule, durations) == 7);
}

TEST_CASE("simulate: over a failure-free makespan of nothing there is no ratio") {
  Instance instance = wt::instance_of(1, {0});
  CHECK(!PreparedInstance(instance).metrics(60, 0).ratio);
  CHECK(PreparedInstance(instance).metrics(60, 0).checkpointed_ratio ==
        60.0);  // a checkpoint of 1 s
  instance.base = Base::one_checkpoint;
  CHECK(PreparedInstance(instance).metrics(60, 0).ratio == 60.0);
  instance.checkpoints = {0};
  CHECK(!PreparedInstance(instance).metrics(60, 0).checkpointed_ratio);
}

TEST_CASE("strategies: min-exp is safe-check:1, and more tasks beside mean more segments") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Instance instance = wt::random_instance(seed, 100, 9, false);
    const auto least = wt::segments(instance, "min-exp");
    CHECK(least == wt::segments(instance, "safe-check:1"));
    const auto some = wt::segments(instance, "check-more");
    const auto most = wt::segments(instance, "basic-check-more");
    const auto exact = wt::segments(instance, "lambert");
    for (std::size_t task = 0; task < least.size(); ++task) {
      CHECK(least[task] <= some[task]);
      CHECK(some[task] <= most[task]);
      CHECK(exact[task] <= least[task]);
    }
  }
}

TEST_CASE("strategies: no period follows from no mtbf; given segments must be given") {
  const Instance instance = wt::instance_of(2, {3, 4});
  const auto table = strategies();
  for (const char* name : {"min-exp", "lambert", "check-more", "tuned", "as-given"}) {
    CHECK(!make_strategy(parse_strategy(name, table).value(), instance));
  }
  CHECK(make_strategy(parse_strategy("none", table).value(), instance));
}

TEST_CASE("simulate: a task that would never end is refused") {
  Instance instance = wt::instance_of(1, {1000});
  instance.mtbf = 10;
  const PreparedInstance prepared(instance);
  const Status status = Simulator(prepared, one_each(instance)).feasible();
  REQUIRE(!status);
  CHECK(status.error().code == ErrorCode::infeasible);
  CHECK(status.error().where == "/tasks/0");
}

TEST_CASE("validate: what breaks the model is found") {
  const Instance instance = wt::instance_of(1, {3, 4}, {{0, 1}});
  // Checkpoints of 1 s.
  const std::vector<TaskRun> good = {{0, 0, 4, 1, 0}, {1, 4, 9, 1, 0}};
  CHECK(validate(instance, good));
  const auto with = [&](std::size_t row, const TaskRun& run) {
    auto out = good;
    out[row] = run;
    return out;
  };
  CHECK(!validate(instance, std::span(good).first(1)));      // one is missing
  CHECK(!validate(instance, with(1, {0, 4, 8, 1, 0})));      // one runs twice
  CHECK(!validate(instance, with(1, {1, 3.5, 8.5, 1, 0})));  // before its parent has ended
  CHECK(!validate(instance, with(1, {1, 5, 10, 1, 0})));     // later than it must
  CHECK(!validate(instance, with(1, {1, 4, 8.9, 1, 0})));    // too short
  CHECK(!validate(instance, with(1, {1, 4, 10, 1, 0})));     // too long without a failure
  CHECK(validate(instance, with(1, {1, 4, 12, 1, 1})));      // 5 s, 1 s of recovery, 2 s lost
  CHECK(!validate(instance, with(1, {1, 4, 16, 1, 1})));     // more than one failure can cost
}

TEST_CASE("tuned: not worse than the rules that it chooses from, on other scenarios") {
  Instance instance = wt::instance_of(400, std::vector<double>(300, 36000));
  instance.mtbf = -300 * 3600 / std::log(0.995) / 30;
  instance.checkpoints = instance.recoveries = {360};
  instance.downtime = 60;
  const PreparedInstance prepared(instance);
  double mean[3] = {};
  const char* names[] = {"min-exp", "check-more", "tuned"};
  std::vector<FirstFailure> first;
  for (int which = 0; which < 3; ++which) {
    Simulator simulator(prepared, decided(prepared, *wt::strategy(names[which], instance)));
    for (std::uint64_t scenario = 0; scenario < 2000; ++scenario) {
      prepared.failures.draw(wt::key(scenario), first);
      mean[which] += simulator.run(wt::key(scenario), first).makespan / 2000;
    }
  }
  // 300 tasks of 10 h at once: 15.1 h in one piece, 11.8 h as check-more cuts, 11.56 h at best.
  CHECK(mean[0] / 3600 == doctest::Approx(15.11).epsilon(0.02));
  CHECK(mean[1] / 3600 == doctest::Approx(11.78).epsilon(0.005));
  CHECK(mean[2] / 3600 == doctest::Approx(11.6).epsilon(0.008));
  CHECK(mean[2] < mean[1]);
}
