#include "holdfast/domains/volatile/simulate.hpp"

#include "holdfast/domains/volatile/simulate_fast.hpp"
#include "holdfast/domains/volatile/strategies/greedy.hpp"
#include "holdfast/domains/volatile/testing.hpp"
#include "holdfast/domains/volatile/validate.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::volatile_workers;

namespace {

// The plain simulator with the plain greedy rule: nothing is remembered but the values of sets.
Metrics run_plain(const Instance& instance, const StrategySpec& spec, const AvailabilityDraw& draw,
                  Availability& states, History* history = nullptr) {
  Toolbox toolbox(instance);
  ReadyStrategy ready = make_strategy(spec, toolbox.instance()).value()(toolbox, draw);
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<Greedy> greedy;
  if (ready.greedy) {
    evaluator = std::make_unique<Evaluator>(instance, ready.estimator, Evaluator::Memory::sets);
    greedy = std::make_unique<Greedy>(*evaluator, *ready.greedy);
    ready.rules.builder = greedy.get();
    ready.rules.evaluator = evaluator.get();
  }
  return simulate(instance, ready.rules, states, history);
}

Metrics run_fast(Toolbox& toolbox, const StrategySpec& spec, const AvailabilityDraw& draw,
                 Availability& states) {
  const ReadyStrategy ready = make_strategy(spec, toolbox.instance()).value()(toolbox, draw);
  DecisionTrie* trie = ready.greedy ? &toolbox.trie(ready.estimator, *ready.greedy) : nullptr;
  return simulate_fast(toolbox.instance(), ready.rules, trie, states);
}

const std::vector<std::string>& all_strategies() {
  static const std::vector<std::string> kAll = [] {
    std::vector<std::string> out;
    for (const StrategyEntry& entry : strategies()) {
      const std::string name(entry.name);
      if (name == "as-given") continue;
      if (entry.parameters.front().name != "estimator") {
        out.push_back(name);
        continue;
      }
      for (const char* estimator : {"exact", "paper", "restart"}) {
        out.push_back(name + ":estimator=" + estimator);
      }
      out.push_back(name + ":estimator=paper:keep_data=false");
      if (entry.parameters.size() > 2) {
        out.push_back(name + ":estimator=restart:value_reclaimed=true");
      }
    }
    return out;
  }();
  return kAll;
}

void compare_paths(std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t seed = first; seed < last; ++seed) {
    const Instance instance = testing::any_instance(seed);
    Toolbox toolbox(instance);
    const AvailabilityDraw draw{.seed = seed};
    const auto states = drawn_availability(instance, draw);
    for (const std::string& name : all_strategies()) {
      CAPTURE(seed);
      CAPTURE(name);
      const StrategySpec spec = testing::spec(name);
      History history;
      const Metrics plain = run_plain(instance, spec, draw, *states, &history);
      CHECK(run_fast(toolbox, spec, draw, *states) == plain);
      const Status valid = validate(instance, *states, history, plain,
                                    name.find("keep_data=false") == std::string::npos);
      const std::string complaint = valid ? "" : valid.error().text();
      CHECK(complaint == "");
    }
  }
}

}  // namespace

TEST_CASE("simulate: the fast path gives what the plain one gives, and both obey the model") {
  compare_paths(1, 8);
}

TEST_CASE("simulate: the same on many more instances" * doctest::test_suite("slow")) {
  compare_paths(8, 90);
}

TEST_CASE("simulate: fast and plain agree on the published experiment" *
          doctest::test_suite("slow")) {
  for (const std::int64_t tasks : {5, 10}) {
    for (std::uint64_t index = 0; index < 2; ++index) {
      GeneratorParameters parameters;
      parameters.tasks = tasks;
      parameters.minimum_speed = 3;
      parameters.slot_limit = 20000;
      const Instance instance = generate(parameters, 1, index).value();
      Toolbox toolbox(instance);
      const AvailabilityDraw draw{.instance = index};
      const auto states = drawn_availability(instance, draw);
      for (const std::string& name : all_strategies()) {
        CAPTURE(name);
        const StrategySpec spec = testing::spec(name);
        CHECK(run_fast(toolbox, spec, draw, *states) == run_plain(instance, spec, draw, *states));
      }
    }
  }
}

TEST_CASE("simulate: one worker needs 24.9497 slots in the mean for 10 slots up") {
  // (D (1 - p) + p + (1 - p) h_d) / p, p = .9625^9, D = 43.3333, h_d = 15, solved by hand.
  const TransitionMatrix markov{{{.95, .025, .025}, {.02, .96, .02}, {.3, .2, .5}}};
  struct Row {
    std::int64_t program, data, speed;
  };
  for (const Row& row : {Row{0, 0, 10}, Row{4, 2, 4}}) {
    Instance instance;
    instance.iterations = 1;
    instance.program_slots = row.program;
    instance.data_slots = row.data;
    instance.workers.push_back({.speed = row.speed, .max_tasks = 1, .markov = markov});
    Toolbox toolbox(instance);
    double sum = 0, squares = 0;
    constexpr int kRuns = 20000;
    for (std::uint64_t run = 0; run < kRuns; ++run) {
      const auto states = drawn_availability(instance, {.scenario = run});
      const auto makespan = static_cast<double>(
          run_fast(toolbox, testing::spec("ie"), {.scenario = run}, *states).makespan.value());
      sum += makespan;
      squares += makespan * makespan;
    }
    const double mean = sum / kRuns;
    const double error = std::sqrt((squares / kRuns - mean * mean) / kRuns);
    CHECK(std::abs(mean - 24.9497) < 4 * error);
  }
}

TEST_CASE("simulate: with machines that never fail every proactive rule finishes") {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    Instance instance = testing::any_instance(seed);
    for (Worker& worker : instance.workers) {
      worker.initial = InitialState::up;
      worker.markov = TransitionMatrix{{{1, 0, 0}, {.1, .9, 0}, {.1, .1, .8}}};
    }
    const auto states = drawn_availability(instance, {});
    Toolbox toolbox(instance);
    for (const std::string& name : all_strategies()) {
      CAPTURE(name);
      const Metrics metrics = run_fast(toolbox, testing::spec(name), {}, *states);
      CHECK(metrics.makespan.has_value());
      CHECK(metrics.attempts_lost == 0);
    }
  }
}

TEST_CASE(
    "value of a running configuration: one slot more of progress never lowers P or raises E") {
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    const Instance instance = testing::any_instance(seed);
    for (const Estimator estimator : {Estimator::exact, Estimator::paper, Estimator::restart}) {
      Evaluator evaluator(instance, estimator, Evaluator::Memory::sets_and_workers);
      std::vector<std::uint32_t> members = {0, 1};
      std::vector<std::int64_t> needs(instance.workers.size(), 0);
      needs[0] = instance.program_slots + instance.data_slots;
      needs[1] = instance.data_slots;
      const SetValues set = evaluator.sets().values(evaluator.sets().of(members));
      std::int64_t workload = 12;
      ConfigurationValue before = evaluator.value(
          {.members = members, .needs = needs, .workload = workload}, set, Ask::restart_too);
      while (workload > 1) {
        if (needs[0] > 0) {
          --needs[0];
        } else if (needs[1] > 0) {
          --needs[1];
        } else {
          --workload;
        }
        const ConfigurationValue after = evaluator.value(
            {.members = members, .needs = needs, .workload = workload}, set, Ask::restart_too);
        CHECK(after.log_success >= before.log_success);
        CHECK(after.expected <= before.expected);
        CHECK(after.log_restart <= before.log_restart + 1e-12);
        before = after;
      }
    }
  }
}

TEST_CASE("simulate: a run that needs more than the known states is exhausted") {
  Instance instance;
  instance.iterations = 1;
  instance.workers.push_back({.speed = 4, .max_tasks = 1, .markov = {}});
  instance.states = {"uuu"};
  const auto states = recorded_availability(instance.states);
  Toolbox toolbox(instance);
  const StrategySpec spec = testing::spec("fastest");
  for (const Metrics& metrics :
       {run_fast(toolbox, spec, {}, *states), run_plain(instance, spec, {}, *states)}) {
    CHECK(metrics.exhausted);
    CHECK(!metrics.makespan);
  }
}

TEST_CASE("baselines: what each prefers") {
  // In slot 4: worker 0 up since 4 (seen up 3 of 5), worker 1 since 2 (3 of 5), worker 2 since 3 (4
  // of 5, slow), worker 3 always up and slowest.
  Instance instance;
  instance.iterations = 1;
  for (const std::int64_t speed : {1, 2, 3, 9}) {
    instance.workers.push_back({.speed = speed, .max_tasks = 1, .markov = {}});
  }
  instance.states = {"uurruuuuuuuuuuuuuuu", "rruuuuuuuuuuuuuuuuu", "uuruuuuuuuuuuuuuuuu",
                     "rrrruuuuuuuuuuuuuuu"};
  struct Row {
    std::string_view strategy;
    std::uint32_t first, second;
    std::string_view why;
  };
  const Row rows[] = {
      {"fastest", 0, 0, "slot 0: of 0 and 2 the faster; it computes in slot 0 and then again"},
      {"most-available", 0, 0, "slot 0: both were always up, the faster; slot 1: the same"},
      {"longest-up", 0, 0, "slot 0: both since now"},
      {"threshold:0.9", 0, 0, "all reach the share"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.strategy);
    History history;
    instance.iterations = 2;
    const auto states = recorded_availability(instance.states);
    run_plain(instance, testing::spec(row.strategy), {}, *states, &history);
    REQUIRE(history.adoptions.size() == 2);
    CHECK(history.adoptions[0].assignment[row.first] == 1);
    CHECK(history.adoptions[1].assignment[row.second] == 1);
  }
  // From slot 2 on only worker 1 is up, from 3 on worker 2 too.
  struct Late {
    std::string_view strategy;
    std::size_t chosen;
  };
  instance.states = {"rrrruuuuuu", "uurruuuuuu", "rruuuuuuuu", "urrruuuuuu"};
  instance.tasks = 1;
  instance.iterations = 1;
  // A first task that only the last worker can take does not start before slot 4.
  for (const Late& late : {Late{"fastest", 0}, Late{"longest-up", 2}, Late{"most-available", 1}}) {
    CAPTURE(late.strategy);
    Toolbox toolbox(instance);
    const ReadyStrategy ready =
        make_strategy(testing::spec(late.strategy), instance).value()(toolbox, {});
    Assignment assignment;
    const std::vector<WorkerState> all(4, WorkerState::up);
    const std::vector<std::int64_t> none(4, 0), seen = {1, 3, 3, 2}, since = {4, 4, 2, 4};
    REQUIRE(ready.builder->build({.slot = 4,
                                  .elapsed = 0,
                                  .states = all,
                                  .program_left = none,
                                  .data_held = none,
                                  .up_slots = seen,
                                  .up_since = since},
                                 assignment));
    CHECK(assignment[late.chosen] == 1);
  }
}
