#include "holdfast/domains/workflow/instance_io.hpp"

#include "holdfast/domains/workflow/domain.hpp"
#include "holdfast/domains/workflow/point.hpp"
#include "holdfast/domains/workflow/strategies.hpp"
#include "holdfast/traces/workflow/wfformat.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

using namespace holdfast;
using namespace holdfast::workflow;

namespace {

Result<ReadInstance> read(std::string_view json) {
  return read_instance(parse_json(json).value(), ".");
}

std::string error_of(std::string_view json) {
  const auto instance = read(json);
  return instance ? "none" : instance.error().text();
}

constexpr std::string_view kSmall =
    R"({"processors": 4, "mtbf": 1000, "checkpoint": 2, "downtime": 1,
  "tasks": [{"id": "a", "length": 3}, {"id": "b", "length": 5, "processors": 2, "parents": ["a"],
  "checkpoint": 7, "gaps": [1, 2]}]})";

}  // namespace

TEST_CASE(
    "documents: costs of a task win over those of the document; recoveries follow checkpoints") {
  const Instance instance = read(kSmall)->instance;
  CHECK(instance.checkpoint(0) == 2);
  CHECK(instance.recovery(0) == 2);
  CHECK(instance.checkpoint(1) == 7);
  CHECK(instance.recovery(1) == 7);
  CHECK(instance.width(0) == 1);
  CHECK(instance.width(1) == 2);
  CHECK(instance.is_fixed());
  const Instance with = read(R"({"processors": 1, "checkpoint": 2, "recovery": 3, "tasks":
    [{"length": 1, "checkpoint": 9}, {"length": 1, "recovery": 4}]})")
                            ->instance;
  CHECK(with.recovery(0) == 3);
  CHECK(with.recovery(1) == 4);
}

TEST_CASE("documents: what is written reads back as the same") {
  for (
      const std::string_view text :
      {kSmall,
       std::string_view(
           R"({"processors": 2, "tasks": [{"length": 1}, {"length": 2, "parents": [0]}],
         "profile": "author", "priority": "spt", "strict": true, "base": "one-checkpoint"})"),
       std::string_view(
           R"({"processors": 2, "tasks": [{"length": 1, "segments": 3}, {"length": 2, "duration": 9}]})")}) {
    const Value once = to_value(read(text)->instance);
    CHECK(to_value(read(to_json(once))->instance) == once);
  }
  const Value experiment =
      parse_json(R"({"family": "blast", "tasks": 100, "processors": 8})").value();
  const Value defined = to_value(read_experiment(experiment).value());
  CHECK(to_value(read_experiment(defined).value()) == defined);
}

TEST_CASE("documents: errors name task and field") {
  struct Row {
    std::string_view document, error;
  };
  const Row rows[] = {
      {R"({"processors": 1, "tasks": [{"length": 1, "parents": ["z"]}]})",
       "/tasks/0/parents/0: task '0': found 'z', which is no task"},
      {R"({"processors": 1, "tasks": []})", "/tasks: found no task, expected one or more"},
      {R"({"processors": 1, "tasks": [{"length": 1, "processors": 2}]})",
       "/tasks/0/processors: task '0': found 2, expected a number from 1 to the machine's 1"},
      {R"({"processors": 1, "tasks": [{"length": 1, "gaps": [1], "duration": 2}]})",
       "/tasks/0/gaps: task '0': found a duration too, expected one of them"},
      {R"({"processors": 1, "workflow": "no-such.json"})",
       "./no-such.json: cannot be opened: No such file or directory"},
      {R"({"processors": 1, "workflow": {"jobs": [{"name": "a", "parents": []}]}})",
       "/workflow: task 'a' has no run time (runtimeInSeconds or runtime), expected one, or a "
       "default_runtime for all "
       "that have none"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.document);
    CHECK(error_of(row.document) == row.error);
  }
}

TEST_CASE("documents: a workflow as it was generated reads back from WfFormat") {
  const Experiment experiment =
      read_experiment(
          parse_json(R"({"family": "epigenomics", "tasks": 60, "scale": "none"})").value())
          .value();
  const Instance made_one = made(experiment, 4, 0, nullptr, true);
  const std::string text = wfformat_text(to_run(made_one, "epigenomics"));
  Value document = parse_json(text).value();
  document.set("processors", 16'384);
  const Instance again = read_instance(document, ".")->instance;
  CHECK(again.lengths == made_one.lengths);
  CHECK(again.ids == made_one.ids);
  REQUIRE(again.graph.edges() == made_one.graph.edges());
  for (std::size_t task = 0; task < again.size(); ++task) {
    CHECK(std::ranges::equal(again.graph.children(task), made_one.graph.children(task)));
  }
}

TEST_CASE(
    "point: the same draw gives the same outcome, with any workspace; strategies share draws or "
    "not") {
  const auto table = strategies();
  const auto specs = parse_strategies("none,fixed:1000d", table).value();  // both: one segment
  for (const bool shares : {true, false}) {
    Value parameters =
        parse_json(R"({"family": "seismology", "tasks": 300, "processors": 50, "mtbf": "1y"})")
            .value();
    parameters.set("luck", shares ? "paired" : "independent");
    const auto point = open_point(parameters, specs, ".").value();
    Workspace workspace;
    int equal = 0;
    for (std::uint64_t scenario = 0; scenario < 10; ++scenario) {
      const Draw draw{.seed = 3, .instance = 1, .scenario = scenario};
      const Outcome one = point->run(draw, 0, workspace, false).value();
      Workspace fresh;
      CHECK(one.metrics == point->run(draw, 0, fresh, false).value().metrics);
      if (one.metrics == point->run(draw, 1, workspace, false).value().metrics) ++equal;
      const Outcome shown = point->run(draw, 0, workspace, true).value();
      const auto valid = point->check(draw, 0, shown);
      REQUIRE(valid.has_value());
      CHECK(valid->has_value());
    }
    CHECK((equal == 10) == shares);
  }
}
