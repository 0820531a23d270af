#include "holdfast/domains/taskgraph/point.hpp"

#include "holdfast/contract/ask.hpp"
#include "holdfast/domains/taskgraph/domain.hpp"
#include "holdfast/domains/taskgraph/instance_io.hpp"
#include "holdfast/domains/taskgraph/strategies.hpp"
#include "holdfast/domains/taskgraph/testing.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

namespace holdfast::taskgraph {
namespace {

std::vector<StrategySpec> specs(const char* text) {
  const auto table = strategies();
  return parse_strategies(text, table).value();
}

}  // namespace

TEST_CASE("point: a drawn instance is the same on any workspace and passes its own check") {
  const Value parameters =
      Value::object({{"tasks", 60}, {"processors", 32}, {"model", "any"}, {"error_rate", 1e-5}});
  const auto strategies = specs("capped-lpa,min-time,min-area,fraction,ect");
  const auto point = open_point(parameters, strategies, ".").value();
  CHECK(!point->is_fixed());
  Workspace kept;
  for (std::uint64_t scenario = 0; scenario < 3; ++scenario) {
    for (std::size_t strategy = 0; strategy < strategies.size(); ++strategy) {
      const Draw draw{.seed = 5, .instance = scenario % 2, .scenario = scenario};
      Workspace fresh;
      const Outcome first = point->run(draw, strategy, kept, true).value();
      const Outcome again = point->run(draw, strategy, fresh, false).value();
      CHECK(first.metrics == again.metrics);
      CHECK(!again.timeline);
      CHECK(point->check(draw, strategy, first).value());
    }
  }
}

TEST_CASE("point: strategies meet the same failures, scenarios meet others") {
  const Value parameters = Value::object({{"tasks", 200}, {"error_rate", 1e-5}});
  const auto point = open_point(parameters, specs("capped-lpa,min-area"), ".").value();
  Workspace workspace;
  const auto attempts = [&](std::uint64_t scenario, std::size_t strategy) {
    return *point->run({.scenario = scenario}, strategy, workspace, false)->metrics[4];
  };
  CHECK(attempts(0, 0) == attempts(0, 1));
  CHECK(attempts(0, 0) > 200);
  CHECK(attempts(0, 0) != attempts(1, 0));
}

TEST_CASE("point: an instance without anything random is fixed, and echoes what was read") {
  const Value document = to_value(testing::five_tasks());
  const auto point = open_point(document, specs("capped-lpa,optimal"), ".").value();
  CHECK(point->is_fixed());
  CHECK(point->definition() == with_header("taskgraph", document));
  Workspace workspace;
  const Outcome best = point->run({}, 1, workspace, true).value();
  CHECK(*best.metrics.front() == 23.5);
  CHECK(best.details.find("proven_ratio")->number() == 1);
  CHECK(point->check({}, 1, best).value());
  REQUIRE(best.timeline);
  CHECK(best.timeline->rows() == 5);
}

TEST_CASE("point: a strategy that the instance cannot serve is refused when it is opened") {
  const Value document = to_value(testing::five_tasks());
  CHECK(open_point(document, specs("as-given"), ".").error().where == "/tasks/0/allocation");
}

TEST_CASE("domain: names what the program runs by default") {
  CHECK(domain().recommended == "wide-lpa");
  CHECK(domain().baseline == "min-time");
  CHECK(domain().metrics.size() == 5);
}

}  // namespace holdfast::taskgraph
