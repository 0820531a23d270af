#include "holdfast/domains/cosched/simulate.hpp"

#include "holdfast/domains/cosched/generator.hpp"
#include "holdfast/domains/cosched/plan.hpp"
#include "holdfast/domains/cosched/strategies.hpp"
#include "holdfast/domains/cosched/validate.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

using namespace holdfast;
using namespace holdfast::cosched;

namespace {

constexpr std::string_view kCombinations[] = {"iterated-greedy-end-greedy",
                                              "iterated-greedy-end-local",
                                              "shortest-tasks-first-end-greedy",
                                              "shortest-tasks-first-end-local",
                                              "shortest-tasks-first-end-greedy:literal",
                                              "shortest-tasks-first-end-local:literal"};

Run run_of(const Instance& instance, std::string_view strategy, FailureSource failures,
           History* history = nullptr) {
  const auto times = task_times(instance);
  const auto entries = strategies();
  const auto spec = parse_strategy(strategy, entries).value();
  const Strategy rules = make_strategy(spec, instance).value();
  const Allocation initial = initial_allocation(times, instance.even_processors());
  return simulate(instance, times, rules.initial.value_or(initial), rules, std::move(failures),
                  history);
}

Instance v4() {
  Instance instance{.processors = 8, .mtbf = 3.1536e9, .tasks = {}, .failures = {}, .given = {}};
  for (const double data : {1e6, 1.5e6, 2.5e6}) {
    instance.tasks.push_back(
        {.id = std::to_string(instance.tasks.size()), .data = data, .profile = MLogProfile{}});
  }
  return instance;
}

void check_near(double found, double expected) {
  CHECK(found == doctest::Approx(expected).epsilon(1e-12));
}

}  // namespace

TEST_CASE("V4, trace A: no failure") {
  const Instance instance = v4();
  const auto times = task_times(instance);
  const Allocation initial = initial_allocation(times, 8);
  CHECK(initial == Allocation{2, 2, 4});
  double expected = 0;
  for (std::size_t i = 0; i < 3; ++i)
    expected = std::max(expected, times[i].expected(initial[i], 1));
  check_near(expected, 49405158.550720923);

  const Run none = run_of(instance, "none", replay({}));
  check_near(none.finish[0], 31491878.339532193);
  check_near(none.finish[1], 48624178.636007436);
  check_near(none.finish[2], 46851355.244660094);
  for (const auto strategy : kCombinations) {
    CAPTURE(strategy);
    const Run run = run_of(instance, strategy, replay({}));
    check_near(run.finish[0], 31491878.339532193);
    check_near(run.finish[1], 41675486.730629325);
    check_near(run.metrics.makespan, 45364362.91996938);
    CHECK(run.metrics.redistributions == 2);
  }
}

TEST_CASE("V4, trace B: two failures count, the one during a recovery does not") {
  const Instance instance = v4();
  const std::vector<Failure> failures = {{1.2e7, 5}, {1.21e7, 4}, {3e7, 2}};
  const Run none = run_of(instance, "none", replay(failures));
  check_near(none.finish[0], 31491878.339532193);
  check_near(none.finish[1], 79374238.636007428);
  check_near(none.finish[2], 59476415.244660094);
  CHECK(none.metrics.failures_handled == 2);
  CHECK(none.metrics.failures_ignored == 1);
  for (const auto strategy : kCombinations) {
    CAPTURE(strategy);
    const Run run = run_of(instance, strategy, replay(failures));
    check_near(run.finish[0], 31491878.339532193);
    check_near(run.finish[1], 58982481.793920457);
    check_near(run.metrics.makespan, 59899867.68717438);
  }
}

TEST_CASE(
    "a run that would meet more than 10^7 failures is refused, one whose failures are given is "
    "not") {
  struct Row {
    std::string_view why;
    double mtbf, downtime;
    bool is_feasible;
  };
  const Row rows[] = {
      {"4.9e7 s at one failure each 4e8 s", 3.1536e9, 60, true},
      {"8 processors that fail each second", 1, 60, false},
      {"8 failures each 3.2e9 s: 2.5e6 in 1e15 s of downtime", 3.1536e9, 1e15, true},
      {"2.5e7 in 1e16 s of downtime", 3.1536e9, 1e16, false},
      {"an expected time that is infinite", 1e-300, 60, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    Instance instance = v4();
    instance.mtbf = row.mtbf;
    instance.downtime = row.downtime;
    const auto possible = [&] {
      return feasible(instance, task_times(instance), {2, 2, 4}).has_value();
    };
    CHECK(possible() == row.is_feasible);
    instance.failures.emplace();
    CHECK(possible());
  }
}

TEST_CASE("V5: heuristics beside the optimum of all choices, fault-free and with free moves") {
  struct Row {
    std::int64_t processors;
    std::vector<double> data;
    double optimum, heuristic, none;
  };
  const Row rows[] = {
      {6,
       {2424163.9623273988, 1904903.2944083412},
       51968344.579838663,
       51968344.579838663,
       62787198.222097613},
      {10,
       {2378708.6996430298, 77688.310649750667, 346979.21575688635, 989663.2519383399},
       29004764.548729286,
       29080695.654274911,
       43835129.467184804},
      {10,
       {256019.68771843117, 1176595.7246506743, 2003713.7999637052},
       25771545.719220307,
       26181214.34551163,
       36493225.015047647},
  };
  for (const Row& row : rows) {
    Instance instance{.processors = row.processors,
                      .redistribution_unit_cost = 0,
                      .fault_free = true,
                      .tasks = {},
                      .failures = {},
                      .given = {}};
    for (const double data : row.data)
      instance.tasks.push_back({.id = "", .data = data, .profile = MLogProfile{}});
    check_near(optimum(instance).value().makespan, row.optimum);
    check_near(run_of(instance, "end-local", replay({})).metrics.makespan, row.heuristic);
    check_near(run_of(instance, "end-greedy", replay({})).metrics.makespan, row.heuristic);
    check_near(run_of(instance, "none", replay({})).metrics.makespan, row.none);
  }
}

TEST_CASE("V6: the three-partition instance ends at its deadline when the numbers split") {
  const Instance instance = three_partition(std::vector<double>{6, 6, 8}).value();
  CHECK(instance.processors == 8);
  CHECK(run_of(instance, "end-local", replay({})).metrics.makespan ==
        doctest::Approx(9).epsilon(1e-12));
  CHECK(run_of(instance, "none", replay({})).metrics.makespan ==
        doctest::Approx(16).epsilon(1e-12));
  CHECK_FALSE(three_partition(std::vector<double>{1, 6, 8}));
}

TEST_CASE("every strategy on random instances: valid, between the bounds, the same twice") {
  CHECK(rc::check([] {
    const auto n = *rc::gen::inRange(1, 12);
    GeneratorParameters parameters{.tasks = n,
                                   .minimum_data = 2e5,
                                   .maximum_data = 2.5e6,
                                   .processors = 2 * n + 2 * *rc::gen::inRange(0, 40),
                                   .mtbf = kYear * *rc::gen::inRange(2, 60)};
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const Instance instance = generate(parameters, Stream({.seed = seed}));
    for (const StrategyEntry& entry : strategies()) {
      if (entry.name == "as-given") continue;
      History history;
      const Run run = run_of(instance, entry.name, draw_failures(instance, seed, 0, 0), &history);
      const Status valid = validate(instance, run, history);
      if (!valid) RC_FAIL(std::string(entry.name) + ": " + valid.error().text());
      const Run again = run_of(instance, entry.name, draw_failures(instance, seed, 0, 0));
      RC_ASSERT(again.finish == run.finish);
      const auto times = task_times(instance);
      for (std::size_t i = 0; i < times.size(); ++i) {
        double least = 1e300;
        for (std::int64_t j = 2; j <= instance.even_processors(); j += 2)
          least = std::min(least, times[i].real(j, 1));
        RC_ASSERT(run.finish[i] >= least * (1 - 1e-9));
      }
    }
  }));
}

TEST_CASE(
    "the validator refuses what it must: too many processors, gaps, odd counts, too little time") {
  const Instance instance = v4();
  History history;
  Run run = run_of(instance, "iterated-greedy-end-local", replay({}), &history);
  REQUIRE(validate(instance, run, history));
  const auto broken = [&](auto&& change) {
    History copy = history;
    change(copy.intervals);
    return !validate(instance, run, copy);
  };
  CHECK(broken([](auto& s) { s[0].processors = 8; }));
  CHECK(broken([](auto& s) { s[0].processors = 3; }));
  CHECK(broken([](auto& s) { s[0].start += 1; }));
  CHECK(broken([](auto& s) { s.pop_back(); }));
  CHECK(broken([](auto& s) {
    for (auto& interval : s) interval.processors = 2;
  }));
  run.finish[0] -= 1;
  CHECK_FALSE(validate(instance, run, history));
}

TEST_CASE("as-given follows the list: the allocations of another strategy give its run again") {
  Instance instance = v4();
  instance.given = {{2, 2, 4}, {0, 4, 4}, {0, 0, 8}};
  const Run given = run_of(instance, "as-given", replay({}));
  const Run greedy = run_of(instance, "iterated-greedy-end-local", replay({}));
  CHECK(given.finish == greedy.finish);
  CHECK(given.metrics.redistributions == 2);
}

TEST_CASE("the advisor's step is the loop's: same allocation at the first end of V4") {
  LiveState state;
  state.instance = v4();
  state.now = 31491878.339532193;
  state.tasks = {{true, 2, 1, 0, 0}, {true, 2, 1, 0, 0}, {true, 4, 1, 0, 0}};
  state.owners = Ownership(8, 3);
  state.owners.assign(Allocation{2, 2, 4});
  state.completed = 0;
  const auto entries = strategies();
  const Strategy rules =
      make_strategy(parse_strategy("iterated-greedy-end-local", entries).value(), state.instance)
          .value();
  const Advice advice = advise(state, rules);
  CHECK(advice.allocation == Allocation{0, 4, 4});
  CHECK(advice.expected_makespan < advice.expected_makespan_without);
  REQUIRE(advice.moves.size() == 1);
  CHECK(advice.moves[0].from == 2);
  CHECK(advice.moves[0].to == 4);

  state.completed = kNoTask;
  state.now = 1.2e7;
  state.failed_processor = 5;
  CHECK(advise(state, rules).faulty == 2);
  state.tasks[2].since = 1.3e7;  // it recovers: the failure is ignored
  CHECK(advise(state, rules).faulty == kNoTask);
  CHECK(advise(state, rules).moves.empty());
}

TEST_CASE("the optimum is never above a heuristic, and EndLocal is within 2 % of it on average") {
  Stream stream({.seed = 11});
  double sum = 0;
  int count = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const auto n = stream.integer(2, 4);
    Instance instance{.processors = 2 * stream.integer(n, 6),
                      .redistribution_unit_cost = 0,
                      .fault_free = true,
                      .tasks = {},
                      .failures = {},
                      .given = {}};
    for (std::int64_t i = 0; i < n; ++i) {
      instance.tasks.push_back(
          {.id = "", .data = stream.uniform(1e4, 2.5e6), .profile = MLogProfile{}});
    }
    const double best = optimum(instance).value().makespan;
    for (const std::string_view strategy : {"end-local", "end-greedy", "none"}) {
      CHECK(run_of(instance, strategy, replay({})).metrics.makespan >= best * (1 - 1e-12));
    }
    sum += run_of(instance, "end-local", replay({})).metrics.makespan / best;
    ++count;
  }
  CHECK(sum / count < 1.02);
}

TEST_CASE("optimum: the more tasks a decision moves, the fewer are looked at before it gives up") {
  Instance instance{.processors = 1000,
                    .redistribution_unit_cost = 0,
                    .fault_free = true,
                    .tasks = {},
                    .failures = {},
                    .given = {}};
  for (const std::size_t tasks : {6U, 100U}) {
    while (instance.tasks.size() < tasks) {
      instance.tasks.push_back({.id = "", .data = 1e6, .profile = MLogProfile{}});
    }
    const auto found = optimum(instance, 1000);
    REQUIRE_FALSE(found);
    CHECK(found.error().message.starts_with(tasks == 6 ? "the search stopped after 1000 decisions"
                                                       : "the search stopped after 80 decisions"));
  }
}
