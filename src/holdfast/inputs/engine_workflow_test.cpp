#include "holdfast/inputs/engine_workflow.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace holdfast {
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
  CHECK(made->rules[0].name == "a");
  CHECK(made->ids.size() == 5);
  CHECK(made->rules[0].threads == 2);
  CHECK(made->rules[1].jobs == 4);
  CHECK(made->rules[1].measured == std::vector<std::int64_t>{1, 2, 4});
  CHECK(made->warnings.empty());
  CHECK(made->rules[0].time(8) == doctest::Approx(1.5));
  CHECK(made->rules[1].time(8) == doctest::Approx(2));
  const auto later = engine_workflow(fork(), runs(), 8, 0.5);
  CHECK(later->rules[1].time(8) == doctest::Approx(2.5));
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
  CHECK(made->rules[0].time(8) == 8);  // known on one thread: no faster on more
  CHECK(made->rules[1].time(8) == doctest::Approx(2));
  const auto one =
      engine_workflow(fork(), {{.name = "b", .processors = {8}, .seconds = {13.5}}}, 8, 0);
  REQUIRE(one);
  CHECK(one->warnings[0] == "a: no run time, 0 s is assumed");
  CHECK(one->rules[1].time(1) == doctest::Approx(80));  // 80 (0.95/8 + 0.05) = 13.5
  const auto none =
      engine_workflow(fork(), {{.name = "c", .processors = {8}, .seconds = {1}}}, 8, 0);
  CHECK(
      none.error().text() ==
      "/graph: found 6 jobs of rules without a run time, expected rules of the runs, such as 'c'");
}

TEST_CASE("engine workflow: a job that ran before has the size that it had") {
  WorkflowRun graph = fork();
  for (std::size_t k = 1; k <= 4; ++k) graph.tasks[k].product = graph.tasks[k].id;
  SpeedupTable all = runs();
  all[1].products = {"b1", "b2", "b3"};  // 9, 5 and 3 s are what the law says
  all[1].processors.insert(all[1].processors.end(), {1, 2, 4});
  all[1].seconds.insert(all[1].seconds.end(), {9, 5, 3});
  all[1].products.insert(all[1].products.end(), {"b4", "", "b4"});
  const auto alike = engine_workflow(graph, all, 8, 0);
  REQUIRE(alike);
  CHECK(alike->sizes[4] == doctest::Approx(1));
  all[1].processors = {1, 2, 4, 1, 2, 4, 1, 2, 4};
  all[1].seconds = {9, 5, 3, 9, 5, 3, 18, 10, 6};
  all[1].products = {"b1", "b1", "b1", "b2", "b2", "b2", "b4", "b4", "b4"};
  const auto made = engine_workflow(graph, all, 8, 0.5);
  REQUIRE(made);
  CHECK(made->sizes[4] / made->sizes[1] == doctest::Approx(2));
  CHECK(made->sizes[3] == 1);  // b3 was not seen
  const double usual = made->rules[1].time(4) - 0.5;
  CHECK(made->speedups[4].time(4) == doctest::Approx(made->sizes[4] * usual + 0.5));
}

}  // namespace holdfast
