#include "holdfast/algorithms/dag.hpp"

#include "holdfast/algorithms/dag_testing.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace holdfast {
namespace {

//     0   1
//    / \ /
//   2   3     5 alone
//    \ /
//     4
Dag diamond() {
  const std::vector<Edge> edges = {{0, 2}, {0, 3}, {1, 3}, {2, 4}, {3, 4}};
  return Dag::from_edges(6, edges).value();
}

std::vector<TaskIndex> list(std::span<const TaskIndex> tasks) {
  return {tasks.begin(), tasks.end()};
}

// Any pair (a, b) of different tasks, turned so that it goes up in a hidden order: always acyclic,
// numbering arbitrary.
Dag arbitrary_dag(std::vector<TaskIndex>& hidden) {
  const auto tasks = *rc::gen::inRange<std::size_t>(1, 40);
  hidden.resize(tasks);
  std::iota(hidden.begin(), hidden.end(), TaskIndex{0});
  for (std::size_t i = tasks; i > 1; --i) {
    std::swap(hidden[i - 1], hidden[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  std::vector<Edge> edges;
  const auto count = *rc::gen::inRange<std::size_t>(0, 100);
  for (std::size_t i = 0; i < count; ++i) {
    const auto a = *rc::gen::inRange<std::size_t>(0, tasks);
    const auto b = *rc::gen::inRange<std::size_t>(0, tasks);
    if (a == b) continue;
    edges.push_back({hidden[std::min(a, b)], hidden[std::max(a, b)]});
  }
  return Dag::from_edges(tasks, edges).value();
}

// Longest path into each task by asking every parent again and again: slow and obvious.
double slow_top_level(const Dag& dag, std::size_t task, const std::vector<double>& weights) {
  double longest = 0;
  for (const TaskIndex parent : dag.parents(task)) {
    longest = std::max(longest, slow_top_level(dag, parent, weights) + weights[parent]);
  }
  return longest;
}

}  // namespace

TEST_CASE("dag: parents as given, children increasing, order with parents first") {
  const Dag dag = diamond();
  CHECK(dag.size() == 6);
  CHECK(dag.edges() == 5);
  CHECK(list(dag.parents(3)) == std::vector<TaskIndex>{0, 1});
  CHECK(list(dag.children(0)) == std::vector<TaskIndex>{2, 3});
  CHECK(dag.parents(5).empty());
  CHECK(dag.children(5).empty());
  CHECK(list(dag.order()) == std::vector<TaskIndex>{0, 1, 2, 3, 4, 5});
  CHECK(depths(dag) == std::vector<std::uint32_t>{0, 0, 1, 1, 2, 0});
}

TEST_CASE("dag: a numbering that goes down is put in order by depth") {
  const std::vector<Edge> edges = {{3, 2}, {2, 1}, {1, 0}};
  const Dag dag = Dag::from_edges(4, edges).value();
  CHECK(list(dag.order()) == std::vector<TaskIndex>{3, 2, 1, 0});
  CHECK(depths(dag) == std::vector<std::uint32_t>{3, 2, 1, 0});
}

TEST_CASE("dag: the builder takes parents before they are added") {
  DagBuilder builder;
  builder.add_task();
  builder.add_parent(1);
  builder.add_task();
  const Dag dag = std::move(builder).build().value();
  CHECK(list(dag.order()) == std::vector<TaskIndex>{1, 0});
}

TEST_CASE("dag: no task, one task") {
  CHECK(DagBuilder{}.build().value().size() == 0);
  CHECK(critical_path(DagBuilder{}.build().value(), {}).tasks.empty());
  const std::vector<double> weight = {7};
  const Path path = critical_path(Dag::from_edges(1, {}).value(), weight);
  CHECK(path.length == 7);
  CHECK(path.tasks == std::vector<TaskIndex>{0});
}

TEST_CASE("dag: an edge that is given again counts once and is reported") {
  const std::vector<Edge> edges = {{0, 2}, {1, 2}, {0, 2}, {0, 2}};
  const Dag dag = Dag::from_edges(3, edges).value();
  CHECK(dag.edges() == 2);
  CHECK(dag.duplicates() == 2);
  CHECK(dag.first_duplicate() == Edge{0, 2});
  CHECK(list(dag.parents(2)) == std::vector<TaskIndex>{0, 1});
  const auto letter = [](std::size_t task) { return std::string(1, "abc"[task]); };
  CHECK(duplicate_warning(dag, letter) ==
        "2 edges are given more than once, a -> c among them; each counts once");
  CHECK(duplicate_warning(diamond()).empty());
}

TEST_CASE("dag: what cannot be a graph is refused with its place and a name") {
  struct Row {
    std::string_view why;
    std::size_t tasks;
    std::vector<Edge> edges;
    std::string_view error;
  };
  const Row rows[] = {
      {"a parent that does not exist",
       2,
       {{2, 1}},
       "/tasks/1/parents: found the task 2, expected one of the 2 tasks of the graph"},
      {"a task that waits for itself",
       2,
       {{0, 1}, {1, 1}},
       "/tasks/1/parents: found the cycle b -> b, expected a graph without cycles"},
      {"two tasks that wait for each other",
       3,
       {{0, 1}, {1, 2}, {2, 1}},
       "/tasks/1/parents: found the cycle b -> c -> b, expected a graph without cycles"},
      {"the cycle alone is named, not what hangs on it",
       5,
       {{2, 1}, {1, 3}, {3, 2}, {3, 4}, {0, 2}},
       "/tasks/1/parents: found the cycle b -> d -> c -> b, expected a graph without cycles"},
  };
  const auto letter = [](std::size_t task) { return std::string(1, "abcde"[task]); };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    const auto dag = Dag::from_edges(row.tasks, row.edges, letter);
    REQUIRE(!dag);
    CHECK(dag.error().text() == row.error);
    CHECK(exit_code(dag.error().code) == 3);
  }
  const std::vector<Edge> outside = {{0, 3}};
  CHECK(Dag::from_edges(2, outside).error().code == ErrorCode::unknown_name);
}

TEST_CASE("dag: of a long cycle the first tasks are named") {
  std::vector<Edge> edges;
  for (TaskIndex i = 0; i < 100; ++i) edges.push_back({i, (i + 1) % 100});
  CHECK(Dag::from_edges(100, edges).error().message ==
        "found the cycle 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> ... (100 tasks) -> 0, expected a "
        "graph without cycles");
}

TEST_CASE("dag: levels and critical path of the diamond, by hand") {
  const Dag dag = diamond();
  const std::vector<double> weights = {1, 4, 10, 2, 3, 5};
  CHECK(top_levels(dag, weights) == std::vector<double>{0, 0, 1, 4, 11, 0});
  CHECK(bottom_levels(dag, weights) == std::vector<double>{14, 9, 13, 5, 3, 5});
  const Path path = critical_path(dag, weights);
  CHECK(path.length == 14);
  CHECK(path.tasks == std::vector<TaskIndex>{0, 2, 4});
  CHECK(critical_path_length(dag, weights) == 14);
}

TEST_CASE("dag: of equal critical paths the one of the lowest tasks is taken") {
  const std::vector<double> ones(6, 1.0);
  CHECK(critical_path(diamond(), ones).tasks == std::vector<TaskIndex>{0, 2, 4});
}

TEST_CASE("dag: an infinite weight makes infinite paths, never NaN") {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> weights = {1, infinity, 1, 1, 1, 1};
  CHECK(critical_path_length(diamond(), weights) == infinity);
  CHECK(critical_path(diamond(), weights).tasks == std::vector<TaskIndex>{1, 3, 4});
}

TEST_CASE("dag: the order holds every task once, parents first") {
  CHECK(rc::check([] {
    std::vector<TaskIndex> hidden;
    const Dag dag = arbitrary_dag(hidden);
    std::vector<std::size_t> place(dag.size(), dag.size());
    for (std::size_t i = 0; i < dag.size(); ++i) place[dag.order()[i]] = i;
    for (std::size_t task = 0; task < dag.size(); ++task) {
      RC_ASSERT(place[task] < dag.size());
      for (const TaskIndex parent : dag.parents(task)) RC_ASSERT(place[parent] < place[task]);
    }
  }));
}

TEST_CASE("dag: parents and children tell the same edges") {
  CHECK(rc::check([] {
    std::vector<TaskIndex> hidden;
    const Dag dag = arbitrary_dag(hidden);
    std::size_t count = 0;
    for (std::size_t task = 0; task < dag.size(); ++task) {
      const auto children = dag.children(task);
      RC_ASSERT(std::is_sorted(children.begin(), children.end()));
      for (const TaskIndex child : children) {
        const auto parents = dag.parents(child);
        RC_ASSERT(std::count(parents.begin(), parents.end(), task) == 1);
        ++count;
      }
    }
    RC_ASSERT(count == dag.edges());
  }));
}

TEST_CASE("dag: levels equal the slow definition; the critical path is a path of that length") {
  CHECK(rc::check([] {
    std::vector<TaskIndex> hidden;
    const Dag dag = arbitrary_dag(hidden);
    RC_PRE(dag.edges() <= 2 * dag.size());  // the slow definition is exponential
    std::vector<double> weights(dag.size());
    for (double& weight : weights) weight = *rc::gen::inRange(0, 1000);
    const auto top = top_levels(dag, weights);
    const auto bottom = bottom_levels(dag, weights);
    double longest = 0;
    for (std::size_t task = 0; task < dag.size(); ++task) {
      RC_ASSERT(top[task] == slow_top_level(dag, task, weights));
      longest = std::max(longest, top[task] + weights[task]);
    }
    const Path path = critical_path(dag, weights);
    RC_ASSERT(path.length == longest);  // whole numbers: sums are exact
    RC_ASSERT(critical_path_length(dag, weights) == longest);
    double sum = 0;
    for (std::size_t i = 0; i < path.tasks.size(); ++i) {
      sum += weights[path.tasks[i]];
      RC_ASSERT(top[path.tasks[i]] + bottom[path.tasks[i]] == longest);
      if (i == 0) continue;
      const auto parents = dag.parents(path.tasks[i]);
      RC_ASSERT(std::find(parents.begin(), parents.end(), path.tasks[i - 1]) != parents.end());
    }
    RC_ASSERT(sum == longest);
  }));
}

TEST_CASE("dag: renumbering tasks renumbers every level and nothing else") {
  CHECK(rc::check([] {
    std::vector<TaskIndex> hidden;
    const Dag dag = arbitrary_dag(hidden);
    const Dag other = testing::renumbered(dag, hidden);
    RC_ASSERT(other.edges() == dag.edges());
    std::vector<double> weights(dag.size()), moved(dag.size());
    for (std::size_t task = 0; task < dag.size(); ++task) {
      weights[task] = *rc::gen::inRange(0, 1000);
      moved[hidden[task]] = weights[task];
    }
    const auto levels = bottom_levels(dag, weights);
    const auto moved_levels = bottom_levels(other, moved);
    for (std::size_t task = 0; task < dag.size(); ++task) {
      RC_ASSERT(moved_levels[hidden[task]] == levels[task]);
    }
  }));
}

TEST_CASE("dag: 10^6 tasks of ten parents each" * doctest::test_suite("slow")) {
  DagBuilder builder;
  const std::size_t tasks = 1'000'000;
  builder.reserve(tasks, 10 * tasks);
  for (std::size_t task = 0; task < tasks; ++task) {
    builder.add_task();
    for (std::size_t k = 1; k <= std::min<std::size_t>(task, 10); ++k) builder.add_parent(task - k);
  }
  const Dag dag = std::move(builder).build().value();
  CHECK(dag.edges() == 9'999'945);
  const std::vector<double> ones(tasks, 1.0);
  CHECK(critical_path_length(dag, ones) == 1e6);
}

}  // namespace holdfast
