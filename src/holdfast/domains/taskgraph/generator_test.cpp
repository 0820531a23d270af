#include "holdfast/domains/taskgraph/generator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace holdfast::taskgraph {
namespace {

bool same_graph(const Dag& a, const Dag& b) {
  if (a.size() != b.size() || a.edges() != b.edges()) return false;
  for (std::size_t task = 0; task < a.size(); ++task) {
    if (!std::ranges::equal(a.parents(task), b.parents(task))) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("generator: the graphs of the source's authors have 2500 tasks and about 31,000 edges") {
  double edges = 0;
  for (std::uint64_t index = 0; index < 10; ++index) {
    const Instance instance = generate({}, 1, index);
    REQUIRE(check(instance));
    CHECK(instance.size() == 2500);
    CHECK(instance.graph.duplicates() == 0);
    const auto layer_of = depths(instance.graph);
    const std::size_t layers = 1 + *std::ranges::max_element(layer_of);
    CHECK(layers > 20);  // about 50 layers of 50 tasks; parents up to five layers up make fewer
    CHECK(layers < 80);
    edges += static_cast<double>(instance.graph.edges()) / 10;
  }
  CHECK(edges > 28'000);
  CHECK(edges < 35'000);
}

TEST_CASE("generator: the same seed gives the same graph and works under every model") {
  const Instance mix = generate({.tasks = 200}, 7);
  for (const SpeedupModel model :
       {SpeedupModel::roofline, SpeedupModel::communication, SpeedupModel::amdahl}) {
    const Instance other = generate({.tasks = 200, .model = static_cast<TaskModel>(model)}, 7);
    CHECK(same_graph(mix.graph, other.graph));
    for (std::size_t task = 0; task < 200; ++task) {
      CHECK(other.tasks[task].model() == model);
      CHECK(other.tasks[task].work() == mix.tasks[task].work());
    }
  }
  CHECK(!same_graph(mix.graph, generate({.tasks = 200}, 8).graph));
  CHECK(!same_graph(mix.graph, generate({.tasks = 200}, 7, 1).graph));
}

TEST_CASE("generator: tasks stay in the ranges of the study") {
  const Instance instance = generate({.tasks = 5000, .max_parallelism = 64}, 3);
  for (const Speedup& task : instance.tasks) {
    CHECK(task.work() >= 100);
    CHECK(task.work() <= 1e5);
    CHECK(task.max_parallelism() >= 1);
    CHECK(task.max_parallelism() <= 64);
    CHECK(task.sequential_fraction() >= 1e-3);
    CHECK(task.sequential_fraction() <= std::pow(10, -0.5));
    CHECK(task.overhead() >= 1e-6 * task.work());
    CHECK(task.overhead() <= 1e-2 * task.work());
  }
}

TEST_CASE("generator: shapes at the ends of the parameters") {
  const auto layers = [](const GeneratorParameters& parameters) {
    const auto layer_of = depths(generate(parameters, 1).graph);
    return 1 + *std::ranges::max_element(layer_of);
  };
  CHECK(layers({.tasks = 60, .fat = 0, .regularity = 1, .jump = 1}) == 60);  // a chain
  CHECK(layers({.tasks = 60, .fat = 1, .regularity = 1}) == 1);
  CHECK(layers({.tasks = 10'000, .fat = 0.5, .regularity = 1, .jump = 1}) == 100);
  CHECK(generate({.tasks = 1}, 1).size() == 1);
  // Full density and no jump: between one parent and all of the layer before.
  const Instance dense = generate({.tasks = 400, .density = 1, .regularity = 1, .jump = 1}, 1);
  std::size_t most = 0;
  for (std::size_t task = 20; task < 400; ++task) {
    most = std::max(most, dense.graph.parents(task).size());
    CHECK(dense.graph.parents(task).size() >= 1);
  }
  CHECK(most == 20);
}

TEST_CASE("generator: trees and fork-join graphs are what they are called") {
  for (std::uint64_t k = 0; k < 50; ++k) {
    CAPTURE(k);
    const std::int64_t count = 1 + static_cast<std::int64_t>(k * k);
    const auto draw = [&](Shape shape) {
      return generate({.tasks = count, .shape = shape, .fat = 0.1 * static_cast<double>(k % 10)}, k)
          .graph;
    };
    const auto tasks = static_cast<std::size_t>(count);
    const Dag out_tree = draw(Shape::out_tree), in_tree = draw(Shape::in_tree);
    for (std::size_t task = 0; task < tasks; ++task) {
      REQUIRE(out_tree.parents(task).size() == (task == 0 ? 0 : 1));
      REQUIRE(in_tree.children(task).size() == (task + 1 == tasks ? 0 : 1));
    }
    const Dag graph = draw(Shape::fork_join);
    const std::vector<std::uint32_t> depth = depths(graph);
    std::vector<std::size_t> layers(depth.back() + 1);
    for (const std::uint32_t d : depth) ++layers[d];
    for (std::size_t task = 0; task < tasks; ++task) {
      // Forks and joins stand alone at even depths; each task of the layers between follows the fork and leads to the join.
      const std::size_t before = depth[task] == 0 ? 0 : layers[depth[task] - 1];
      REQUIRE(graph.parents(task).size() == before);
      REQUIRE((depth[task] % 2 == 1 || layers[depth[task]] == 1));
    }
  }
}

TEST_CASE("generator: works of dense kernels have the mean of their law") {
  // N = 1024 k, k from 2 to 10: means of k^2, k^2 log2(1024 k) and k^3 are 42.67, 551.1 and 336.
  const double n2 = 288 * 42.67 * 1024 * 1024, log = 2 * 288 * 551.1 * 1024 * 1024;
  const double n3 = 336.0 * 1024 * 1024 * 1024;
  const Instance instance =
      generate({.tasks = 200'000, .density = 0, .works = WorkLaw::kernels}, 1);
  double sum = 0;
  for (const Speedup& task : instance.tasks) sum += task.work();
  CHECK(sum / 200'000 == doctest::Approx((n2 + log + n3) / 3).epsilon(0.01));
}

TEST_CASE("generator: a mixture draws every model") {
  std::set<SpeedupModel> seen;
  for (const Speedup& task : generate({.tasks = 100, .model = TaskModel::any}, 1).tasks) {
    seen.insert(task.model());
  }
  CHECK(seen.size() == 4);
}

}  // namespace holdfast::taskgraph
