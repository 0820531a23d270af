#include "holdfast/domains/taskgraph/engine_workflow.hpp"

#include "holdfast/domains/taskgraph/simulate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace holdfast::taskgraph {
namespace {

// One job a, four jobs b after it, and a target.
WorkflowRun fork() {
  WorkflowRun run;
  run.tasks.push_back({.id = "a", .name = "a", .runtime = {}, .cores = 2});
  for (const char* id : {"b1", "b2", "b3", "b4"})
    run.tasks.push_back({.id = id, .name = "b", .runtime = {}, .cores = 1});
  run.tasks.push_back({.id = "all", .name = "all", .runtime = {}, .cores = 1});
  for (std::uint32_t b = 1; b <= 4; ++b) {
    run.dependencies.push_back({0, b});
    run.dependencies.push_back({b, 5});
  }
  return run;
}

// t(p) of a is 0.5 + 8/p, that of b 1 + 8/p.
SpeedupTable runs() {
  return {{.name = "a", .processors = {1, 2, 4}, .seconds = {8.5, 4.5, 2.5}},
          {.name = "b", .processors = {1, 2, 4}, .seconds = {9, 5, 3}}};
}

}  // namespace

TEST_CASE("engine workflow: the graph and the run times are joined by rules, and targets go") {
  const auto made = engine_workflow(fork(), runs(), 8, 0);
  REQUIRE(made);
  CHECK(made->rules.names == std::vector<std::string>{"a", "b"});
  CHECK(made->instance.size() == 5);
  CHECK(made->facts[0].threads == 2);
  CHECK(made->facts[1].jobs == 4);
  CHECK(made->facts[1].measured == std::vector<std::int64_t>{1, 2, 4});
  CHECK(made->warnings.empty());
  CHECK(made->instance.tasks[0].time(8) == doctest::Approx(1.5));
  CHECK(made->instance.tasks[1].time(8) == doctest::Approx(2));
  const auto later = engine_workflow(fork(), runs(), 8, 0.5);
  CHECK(later->instance.tasks[1].time(8) == doctest::Approx(2.5));
}

TEST_CASE("engine workflow: what is assumed of few numbers of threads is said") {
  const SpeedupTable few = {{.name = "a", .processors = {1, 1}, .seconds = {8, 8}},
                            {.name = "b", .processors = {4, 2}, .seconds = {3, 5}}};
  const auto made = engine_workflow(fork(), few, 8, 0);
  REQUIRE(made);
  REQUIRE(made->warnings.size() == 1);
  CHECK(
      made->warnings[0] ==
      "b: run times on two numbers of threads (2, 4), Amdahl's law is assumed; run it on a third");
  CHECK(made->instance.tasks[0].time(8) == 8);  // known on one thread: no faster on more
  CHECK(made->instance.tasks[1].time(8) == doctest::Approx(2));
  const auto one =
      engine_workflow(fork(), {{.name = "b", .processors = {8}, .seconds = {13.5}}}, 8, 0);
  REQUIRE(one);
  CHECK(one->warnings[0] == "a: no run time, 0 s is assumed");
  CHECK(one->instance.tasks[1].time(1) == doctest::Approx(80));  // 80 (0.95/8 + 0.05) = 13.5
  const auto none =
      engine_workflow(fork(), {{.name = "c", .processors = {8}, .seconds = {1}}}, 8, 0);
  CHECK(
      none.error().text() ==
      "/graph: found 6 jobs of rules without a run time, expected rules of the runs, such as 'c'");
}

TEST_CASE("per-group: the search finds the best numbers of a small graph") {
  const auto made = engine_workflow(fork(), runs(), 8, 0);
  REQUIRE(made);
  OrderlessScore score(made->instance, made->rules);
  double least = 1e300;
  for (std::int64_t a = 1; a <= 8; ++a) {
    for (std::int64_t b = 1; b <= 8; ++b) least = std::min(least, score(std::vector{a, b}));
  }
  const std::vector<std::int64_t> found = search_groups(made->instance, made->rules);
  CHECK(score(found) == doctest::Approx(least));
  CHECK(found == std::vector<std::int64_t>{8, 2});  // four jobs of 5 s side by side
  CHECK(search_groups(made->instance, made->rules) == found);
}

TEST_CASE("per-group: a number that helps nobody is not given") {
  SpeedupTable sequential = runs();
  sequential[1] = {.name = "b", .processors = {1}, .seconds = {9}};
  const auto made = engine_workflow(fork(), sequential, 8, 0);
  CHECK(search_groups(made->instance, made->rules) == std::vector<std::int64_t>{8, 1});
}

}  // namespace holdfast::taskgraph
