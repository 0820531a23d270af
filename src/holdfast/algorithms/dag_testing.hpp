#pragma once

#include "holdfast/algorithms/dag.hpp"

#include <cassert>
#include <span>
#include <utility>
#include <vector>

namespace holdfast::testing {

/// Returns the same graph with new numbers: task i becomes task position[i]. @pre `position` is a permutation
inline Dag renumbered(const Dag& dag, std::span<const TaskIndex> position) {
  assert(position.size() == dag.size());
  std::vector<TaskIndex> old_of(dag.size());
  for (std::size_t task = 0; task < dag.size(); ++task) {
    old_of[position[task]] = static_cast<TaskIndex>(task);
  }
  DagBuilder builder;
  builder.reserve(dag.size(), dag.edges());
  for (const TaskIndex old : old_of) {
    builder.add_task();
    for (const TaskIndex parent : dag.parents(old)) builder.add_parent(position[parent]);
  }
  auto result = std::move(builder).build();
  assert(result);
  return std::move(*result);
}

}  // namespace holdfast::testing
