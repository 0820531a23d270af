#pragma once

#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/kernel/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

/// Helpers for the tests of this domain.
namespace holdfast::taskgraph::testing {

inline constexpr SpeedupModel kModels[] = {SpeedupModel::roofline, SpeedupModel::communication,
                                           SpeedupModel::amdahl, SpeedupModel::mix};

/// Returns a task of that model. Half of the time works, overheads and bounds are small whole numbers, so that ties occur.
inline Speedup random_task(Stream& random, SpeedupModel model) {
  const bool whole = random.chance(0.5);
  const auto draw = [&](double most) {
    return whole ? static_cast<double>(random.integer(0, static_cast<std::int64_t>(most)))
                 : most * random.uniform() * random.uniform();
  };
  const double work = draw(40);
  const double sequential = draw(8);
  const double overhead = random.chance(0.3) ? 0.0 : draw(3);
  const std::int64_t most = random.integer(1, 12);
  switch (model) {
    case SpeedupModel::roofline:
      return Speedup::roofline(work, most);
    case SpeedupModel::communication:
      return Speedup::communication(work, overhead);
    case SpeedupModel::amdahl:
      return Speedup::amdahl_of_parts(work, sequential);
    default:
      return Speedup::mix_of_parts(work, sequential, most, overhead);
  }
}

/// Returns a graph of one of four shapes: independent tasks, a chain, sparse, dense.
inline Dag random_graph(Stream& random, std::size_t tasks) {
  const double density[] = {0.0, 0.0, 2.0 / static_cast<double>(tasks), 0.5};
  const auto shape = static_cast<std::size_t>(random.integer(0, 3));
  DagBuilder build;
  for (std::size_t task = 0; task < tasks; ++task) {
    build.add_task();
    for (std::size_t parent = 0; parent < task; ++parent) {
      const bool is_chain = shape == 1 && parent + 1 == task;
      if (is_chain || random.chance(density[shape])) build.add_parent(parent);
    }
  }
  return std::move(build).build().value();
}

/// Returns an instance with 1 to `most_tasks` tasks of one model on 1 to `most_processors` processors.
inline Instance random_instance(Stream& random, SpeedupModel model, std::int64_t most_tasks,
                                std::int64_t most_processors) {
  Instance instance;
  instance.processors = random.integer(1, most_processors);
  const auto tasks = static_cast<std::size_t>(random.integer(1, most_tasks));
  instance.graph = random_graph(random, tasks);
  for (std::size_t task = 0; task < tasks; ++task) {
    instance.tasks.push_back(random_task(random, model));
  }
  return instance;
}

/// Returns a few failures for some of the tasks.
inline std::vector<std::int64_t> random_failures(Stream& random, std::size_t tasks) {
  std::vector<std::int64_t> failures(tasks, 0);
  for (auto& f : failures) {
    if (random.chance(0.3)) f = random.integer(1, 3);
  }
  return failures;
}

/// Returns the five tasks of the specification's second check vector.
inline Instance five_tasks() {
  Instance instance;
  instance.processors = 4;
  for (const auto& [w, d] : {std::pair{18.0, 2.0}, {8, 2}, {30, 0}, {6, 1}, {12, 3}}) {
    instance.tasks.push_back(Speedup::amdahl_of_parts(w, d));
  }
  const std::vector<Edge> edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 4}};
  instance.graph = Dag::from_edges(5, edges).value();
  return instance;
}

}  // namespace holdfast::taskgraph::testing
