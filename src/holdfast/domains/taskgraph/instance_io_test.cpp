#include "holdfast/domains/taskgraph/instance_io.hpp"

#include "holdfast/domains/taskgraph/testing.hpp"
#include "holdfast/domains/taskgraph/worst_case.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::taskgraph {
namespace {

Result<Instance> read(std::string_view text) {
  return read_instance(parse_json(text).value());
}

std::string error_of(std::string_view text) {
  const auto instance = read(text);
  return instance ? "none" : instance.error().text();
}

// Two tasks; `more` goes into the second.
std::string two(std::string_view more) {
  return R"({"processors": 4, "tasks": [
    {"id": "first", "speedup": {"model": "amdahl", "work": 10, "sequential_fraction": 0.1}},
    {"id": "second", "speedup": {"model": "roofline", "work": 4, "max_parallelism": 2})" +
         std::string(more) + "}]}";
}

}  // namespace

TEST_CASE("instance_io: ids, parents by id, positions where there are none") {
  const Instance named = read(two(R"(, "parents": ["first"])")).value();
  CHECK(named.name(1) == "second");
  CHECK(named.graph.parents(1).size() == 1);

  const Instance numbered = read(R"({"processors": 4, "tasks": [
      {"speedup": {"model": "communication", "work": 10, "overhead": 0.1}, "parents": ["1"]},
      {"speedup": {"model": "power", "work": 10, "exponent": 0.5}},
      {"speedup": {"model": "table", "times": [3, 2, 1, 1]}, "parents": [0, 1]}]})")
                                .value();
  CHECK(numbered.ids.empty());
  CHECK(numbered.name(2) == "2");
  CHECK(numbered.graph.parents(0)[0] == 1);
  CHECK(numbered.graph.parents(2).size() == 2);
}

TEST_CASE("instance_io: what is wrong is named with its place") {
  struct Row {
    std::string document;
    std::string_view error;
  };
  const Row rows[] = {
      {two(R"(, "parents": ["frist"])"),
       "/tasks/1/parents/0: found 'frist', expected the id of a task; did you mean 'first'?"},
      {two(R"(, "parents": ["second"])"),
       "/tasks/1/parents: found the cycle second -> second, expected a graph without cycles"},
      {R"({"processors": 4, "tasks": []})",
       "/tasks: found an empty graph, expected at least one task"},
      {R"({"processors": 0, "tasks": []})",
       "/processors: found 0, expected a whole number from 1 to 4294967294"},
      {two(R"(, "allocation": 0)"),
       "/tasks/1/allocation: found 0, expected a whole number of at least 1"},
      {two(R"(, "allocation": [])"),
       "/tasks/1/allocation: found an empty array, expected the processors of the 1st, 2nd ... "
       "attempt"},
      {R"({"processors": 4, "failures": [], "tasks": [{"speedup": {"model": "roofline", "work": 1,
          "max_parallelism": 1}}]})",
       "/failures: found an empty array, expected one number for each task"},
      {R"({"processors": 4, "failures": [0, 1], "tasks": [{"speedup": {"model": "roofline",
          "work": 1, "max_parallelism": 1}}]})",
       "/failures: found 2 numbers, expected 1, one for each task"},
      {R"({"processors": 2, "tasks": [
          {"id": "1", "speedup": {"model": "roofline", "work": 1, "max_parallelism": 1}},
          {"speedup": {"model": "roofline", "work": 1, "max_parallelism": 1}}]})",
       "/tasks/1/id: found '1', which is task 0 already, expected a different id"},
  };
  for (const Row& row : rows) CHECK(error_of(row.document) == row.error);
}

TEST_CASE("instance_io: a run of more attempts than can be queued is refused") {
  // 101 tasks of 1e6 failed attempts each, or at a rate with which each fails expm1(13.5) = 7.3e5
  // times and 200 of them 1.5e8 times
  const auto tasks = [](std::size_t count) {
    Value list = Value::array();
    for (std::size_t task = 0; task < count; ++task) {
      list.push(
          *parse_json(R"({"speedup": {"model": "amdahl", "work": 1, "sequential_fraction": 0}})"));
    }
    return list;
  };
  Value given = Value::object({{"processors", 4}, {"tasks", tasks(101)}});
  given.set("failures", Value::list(std::vector<std::int64_t>(101, 1'000'000)));
  CHECK(error_of(to_json(given)) ==
        "/failures: found 1.01e+08 failed attempts together, expected at most 1e+08");
  Value drawn = Value::object({{"processors", 4}, {"tasks", tasks(200)}, {"error_rate", 13.5}});
  CHECK(
      error_of(to_json(drawn)) ==
      "/error_rate: found 13.5 errors per second, with which 1.46e+08 attempts of all tasks fail, "
      "expected at most 1e+08");
}

TEST_CASE("instance_io: an instance written is read back the same, to the same text") {
  CHECK(rc::check([](std::uint64_t key) {
    Stream random({.instance = key});
    Instance instance =
        testing::random_instance(random, testing::kModels[random.integer(0, 3)], 12, 50);
    if (random.chance(0.5)) instance.failures = testing::random_failures(random, instance.size());
    if (random.chance(0.5)) instance.error_rate = 1e-9;
    if (random.chance(0.5)) {
      for (std::size_t task = 0; task < instance.size(); ++task) {
        instance.ids.push_back("task " + std::to_string(task));
      }
    }
    if (random.chance(0.5)) {
      instance.given.resize(instance.size());
      instance.given.front() = {.allocations = {1, 1}, .start = 0.1};
      instance.given.back().start = 2;
    }
    const Value document = to_value(instance);
    const auto again = read_instance(document);
    if (!again) RC_FAIL(again.error().text());
    RC_ASSERT(to_compact_json(to_value(*again)) == to_compact_json(document));
    RC_ASSERT(again->graph.edges() == instance.graph.edges());
    RC_ASSERT(again->tasks.size() == instance.tasks.size());
  }));
}

TEST_CASE("instance_io: a worst case keeps what is said about it") {
  Value document = to_value(build(worst_case(SpeedupModel::amdahl, 16, 0.5).value()));
  document.set("reference", 3.4);
  document.set("bound", 4.5);
  document.set("worst_case", Value::object({{"X", 4}}));
  CHECK(read_instance(document).value().given.size() == 58);
}

TEST_CASE("instance_io: records of any reader are linked the same way") {
  std::vector<TaskRecord> records(3);
  records[0] = {.id = "merge", .speedup = Speedup::amdahl(3, 0.5), .parents = {"left", "right"}};
  records[1] = {.id = "left", .speedup = Speedup::amdahl(1, 0)};
  records[2] = {.id = "right", .speedup = Speedup::amdahl(2, 0), .parents = {"left", "left"}};
  const Instance instance = link(std::move(records), 8).value();
  CHECK(instance.graph.parents(0).size() == 2);
  CHECK(warnings(instance) ==
        std::vector<std::string>{"the edge left -> right is given twice; it counts once"});
}

TEST_CASE("instance_io: parameters of the generator are read back the same") {
  const auto document =
      parse_json(R"({"processors": 124, "tasks": 50, "model": "any", "works": "kernels", "fat": 0.8,
      "density": 0.2, "regularity": 1, "jump": 2, "max_parallelism": 64, "error_rate": 1e-12})");
  CHECK(describes_generator(*document));
  const GeneratorParameters parameters = read_generator(*document).value();
  CHECK(parameters.model == TaskModel::any);
  CHECK(to_value(parameters) == *document);
  CHECK(read_generator(Value::object({{"tasks", 0}})).error().where == "/tasks");
  CHECK(read_generator(Value::object({{"model", "amdal"}})).error().message.find("amdahl") !=
        std::string::npos);
  // exp(-13.8) = 1e-6: the longest task, of 1e5 s, would fail a million times
  const auto hopeless = read_generator(Value::object({{"error_rate", 0.5}}));
  REQUIRE(!hopeless);
  CHECK(hopeless.error().where == "/error_rate");
  CHECK(hopeless.error().message ==
        "found 0.5, expected at most 0.000138: tasks of 1e+05 s would fail more than 1e6 times");
}

TEST_CASE("documents: a workflow in WfFormat is an instance, its tasks scale as is said") {
  const std::string workflow = R"("schemaVersion": "1.0", "workflow": {"jobs": [
    {"name": "a", "runtime": 10, "cores": 2}, {"name": "b", "runtime": 0, "parents": ["a"]}]}})";
  const Instance instance = read(R"({"processors": 8, )" + workflow).value();
  CHECK(!describes_generator(parse_json(R"({"processors": 8, )" + workflow).value()));
  REQUIRE(instance.size() == 2);
  CHECK(instance.ids == std::vector<std::string>{"a", "b"});
  CHECK(instance.tasks[0].time(1) == 20);  // on two cores for 10 s
  CHECK(instance.tasks[0].time(4) == doctest::Approx(20 * (0.95 / 4 + 0.05)));
  CHECK(instance.graph.parents(1).size() == 1);
  const Instance bounded =
      read(R"({"processors": 8, "model": "roofline", "max_parallelism": 2, )" + workflow).value();
  CHECK(bounded.tasks[0].time(8) == 10);
  CHECK(
      error_of(
          R"({"processors": 8, "workflow": {"jobs": [{"name": "a", "runtime": 1, "parents": ["z"]}]}})") ==
      "/workflow/jobs/0/parents/0: task 'a': found 'z', which is no task of the workflow");
}

}  // namespace holdfast::taskgraph
