#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/testing.hpp"
#include "holdfast/domains/checkpoint/validate.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

Instance spare_instance(const std::string& json) {
  const auto document = parse_json(json);
  REQUIRE(document);
  auto instance = read_instance(*document, ".");
  if (!instance) FAIL(instance.error().text());
  return std::move(*instance);
}

Metrics run_spares(const Instance& instance, const std::string& strategy, const Draw& draw = {}) {
  const auto specs = parse_strategies(strategy, strategies());
  REQUIRE(specs);
  auto rule = make_strategy(specs->front(), instance);
  if (!rule) FAIL(rule.error().text());
  const auto law = instance.law ? std::make_shared<const TabulatedLaw>(*instance.law) : nullptr;
  const auto realisation = Realisation::make(instance, law, draw);
  std::vector<ScheduleRow> rows;
  const Metrics out = simulate(instance, **rule, *realisation, replans(specs->front()), &rows);
  const Status valid = validate_run(instance, replans(specs->front()), *realisation, rows, out);
  if (!valid) FAIL_CHECK(valid.error().text());
  return out;
}

// D = 1, R = 10, C = 10, segments of 50 and 50.
Instance of_vector(std::int64_t nodes, std::int64_t spares, const std::string& outages,
                   const std::string& more = "") {
  return spare_instance(fmt::format(
      R"({{"segments": [50, 50], "checkpoint": 10, "recovery": 10, "downtime": {}, "processors": {},
          "spares": {}, "failures": {{"events": [{}]}}{}}})",
      more.find("ten") == std::string::npos ? 1 : 10, nodes, spares, outages,
      more.find("ten") == std::string::npos ? more : ""));
}

}  // namespace

TEST_CASE("simulate with spares: runs computed by hand") {
  struct Row {
    Instance instance;
    double makespan;
    std::int64_t failures;
    double waiting;
    double idle;
  };
  const Row rows[] = {
      {of_vector(2, 1, "[70, 0, 100]"), 141, 1, 0, 70},
      {of_vector(2, 0, "[70, 0, 100]"), 240, 1, 99, 0},
      {of_vector(2, 1, "[70, 0, 100]", R"(, "replacement": "same")"), 240, 1, 99, 240},
      {of_vector(2, 1, "[20, 2, 100], [70, 0, 100]"), 190, 1, 49, 40},
      {of_vector(2, 1, "[70, 0, 100], [75, 1, 20]"), 165, 2, 19, 70},
      {of_vector(2, 1, "[70, 0, 100], [75, 1, 3]", "ten"), 150, 1, 0, 70},
      {of_vector(2, 1, "[10, 0, 40], [20, 1, 40]", R"(, "repairers": 1)"), 180, 2, 29, 100},
      {of_vector(2, 1, "[70, 0, 30], [70, 1, 50]"), 170, 1, 29, 120},
      {of_vector(2, 1, "[20, 2, 50], [70, 0, 100]"), 141, 1, 0, 20},
      {of_vector(2, 1, "[70, 0, 100]", R"(, "spare_delay": 30)"), 170, 1, 0, 70},
  };
  for (const Row& row : rows) {
    CAPTURE(to_compact_json(to_value(row.instance)));
    const Metrics found = run_spares(row.instance, "as-given");
    CHECK(found.makespan == row.makespan);
    CHECK(found.failures == row.failures);
    CHECK(found.waiting == row.waiting);
    CHECK(found.idle == row.idle);
    const auto all = static_cast<double>(row.instance.processors + *row.instance.platform.spares);
    CHECK(std::fabs(*found.cost - all * row.makespan / 3600) < 1e-12);
    CHECK(std::fabs(*found.cost_per_useful - all * row.makespan / 200) < 1e-12);
  }
}

TEST_CASE("simulate with spares: a job that waits for ever is given up") {
  Instance instance = of_vector(2, 0, "[70, 0, 1e9]");
  CHECK(run_spares(instance, "as-given").waiting == 1e9 - 1);
  instance.events->front().repair = Instance::kNever;  // as no document can say
  const Metrics found = run_spares(instance, "as-given");
  CHECK(found.given_up);
  CHECK_FALSE(found.completed);
  const std::string text = R"({"work": 100, "checkpoint": 5, "processors": 2, "spares": 0,
      "horizon": 300, "failures": {"events": [[70, 0, 1000]]}})";
  const Metrics late = run_spares(spare_instance(text), "none");
  CHECK_FALSE(late.completed);
  CHECK(late.makespan == 300);
  CHECK(late.waiting == 230);
}

TEST_CASE(
    "simulate with spares: a repair of no time by the same node is the model without spares") {
  // Segments 30, 40, 30, C 5, R 7, D 2, dates 10, 12.5, 50, 52.1, 130, 200.
  const std::string plain = R"({"segments": [30, 40, 30], "checkpoint": 5, "recovery": 7,
      "downtime": 2, "processors": 2, )";
  const Metrics without = run_spares(
      spare_instance(
          plain +
          R"("failures": {"events": [[10, 0], [12.5, 0], [50, 0], [52.1, 0], [130, 0], [200, 0]]}})"),
      "as-given");
  const Metrics with = run_spares(spare_instance(plain + R"("spares": 0, "replacement": "same",
      "failures": {"events": [[10, 0, 0], [12.5, 0, 0], [50, 0, 0], [52.1, 0, 0], [130, 0, 0], [200, 0, 0]]}})"),
                                  "as-given");
  CHECK(without.makespan == 244);
  CHECK(with.makespan == 244);
  CHECK(with.failures == 6);
  CHECK(with.waiting == 0);
}

TEST_CASE("simulate with spares: every strategy, law and choice passes the independent checks") {
  for (const char* law :
       {R"("mtbf": 3000)", R"("distribution": "weibull", "shape": 0.6, "mtbf": 3000)",
        R"("distribution": "weibull", "shape": 3, "mtbf": 3000)"}) {
    for (
        const char* more :
        {R"("spares": 2, "repair": 900)",
         R"("spares": 1, "repair": 900, "repairers": 1, "repair_failure": 0.3)",
         R"("spares": 3, "repair": {"distribution": "constant", "mean": 500}, "replacement": "random", "idle_ageing": 0.4)",
         R"("spares": 2, "repair": 600, "replacement": "last-repaired", "spare_delay": 40, "platform_age": 20000)",
         R"("replacement": "same", "repair": 200)",
         R"("spares": 2, "repair": 600, "repair_failure": 0.5, "failed_repair": "returns", "relapse": 300, "idle_ageing": 0, "ages": [[0, 2], [50, 2], [9000, 1]])"}) {
      const Instance instance = spare_instance(fmt::format(
          R"({{"work": 3000, "checkpoint": 10, "recovery": 15, "downtime": 5, "processors": 5, "failures": {{{}}}, {}}})",
          law, more));
      CAPTURE(law);
      CAPTURE(more);
      for (std::uint64_t scenario = 0; scenario < 5; ++scenario) {
        const Draw draw{.seed = 3, .scenario = scenario};
        const double best = run_spares(instance, "clairvoyant", draw).makespan;
        for (const char* strategy : {"next-step", "young-daly", "local-young-daly", "none",
                                     "advised", "optimal-exponential"}) {
          CAPTURE(strategy);
          const Metrics found = run_spares(instance, strategy, draw);
          CHECK(found.completed);
          CHECK(found.makespan >= best * (1 - 1e-12));
          CHECK(found.node_failures >= found.failures);
        }
      }
    }
  }
}

TEST_CASE("simulate with spares: without a failure nothing differs, and seeds decide") {
  const auto of = [](std::int64_t spares) {
    return spare_instance(fmt::format(
        R"({{"work": 1000, "checkpoint": 10, "processors": 3, "spares": {}, "repair": 10, "failures": {{"mtbf": 1e12}}}})",
        spares));
  };
  for (const std::int64_t spares : {0, 1, 5})
    CHECK(run_spares(of(spares), "fixed:period=100").makespan == 1100);
  const Instance instance = spare_instance(
      R"({"work": 1000, "checkpoint": 10, "processors": 3, "spares": 1, "repair": 100, "failures": {"mtbf": 500}})");
  CHECK(run_spares(instance, "young-daly", {.seed = 5}).makespan ==
        run_spares(instance, "young-daly", {.seed = 5}).makespan);
  CHECK(run_spares(instance, "young-daly", {.seed = 5}).makespan !=
        run_spares(instance, "young-daly", {.seed = 6}).makespan);
}

TEST_CASE(
    "simulate with spares: cold ones without end are new nodes; hot ones are alike whatever the "
    "choice") {
  const std::string job =
      R"({"work": 2000, "checkpoint": 10, "recovery": 15, "downtime": 5, "processors": 4, )";
  const std::string weibull =
      R"("failures": {"distribution": "weibull", "shape": 0.7, "mtbf": 1500})";
  const Moments fresh = testing::makespans(spare_instance(job + weibull + "}"), "young-daly", 1500);
  const Moments cold = testing::makespans(
      spare_instance(
          job + weibull +
          R"(, "spares": 300, "idle_ageing": 0, "repair": {"distribution": "constant", "mean": 1e9}})"),
      "young-daly", 1500);
  const double error = std::sqrt((*fresh.variance() + *cold.variance()) / 1500);
  CHECK(std::fabs(fresh.mean() - cold.mean()) < 3.5 * error);
  const std::string memoryless = R"("failures": {"mtbf": 1500}, "spares": 2, "repair": 300, )";
  const Moments oldest = testing::makespans(
      spare_instance(job + memoryless + R"("replacement": "oldest"})"), "young-daly", 1500);
  for (const char* rule : {"last-repaired", "random"}) {
    const Moments other =
        testing::makespans(spare_instance(job + memoryless + R"("replacement": ")" + rule + "\"}"),
                           "young-daly", 1500);
    const double alike = std::sqrt((*oldest.variance() + *other.variance()) / 1500);
    CHECK(std::fabs(oldest.mean() - other.mean()) < 3.5 * alike);
  }
}

TEST_CASE("simulate with spares: efficiency and interruptions are those of the closed form") {
  struct Row {
    double downtime;
    double efficiency;
    double error;  // of the formula for D > 0
  };
  for (const Row& row : {Row{0, .776373726, 0}, Row{3, .725362532, .0005}}) {
    const Instance instance = spare_instance(fmt::format(
        R"({{"work": 20000, "checkpoint": 0.5, "recovery": 1, "downtime": {}, "processors": 3,
            "spares": 1, "repair": 10, "failures": {{"mtbf": 100}}}})",
        row.downtime));
    Moments useful;
    for (std::uint64_t scenario = 0; scenario < 60; ++scenario)
      useful.add(
          run_spares(instance, "fixed:period=5.44509287", {.scenario = scenario}).efficiency);
    CAPTURE(useful.mean());
    CHECK(std::fabs(useful.mean() - row.efficiency) <
          3.5 * std::sqrt(*useful.variance() / 60) + row.error);
  }
}
