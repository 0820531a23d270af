#pragma once

#include "holdfast/algorithms/dag.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::taskgraph {

/// One execution of a task.
struct Attempt {
  TaskIndex task = 0;
  std::uint32_t number = 1;  ///< number of the attempt among those of its task, from 1
  double start = 0;          ///< seconds
  double end = 0;            ///< seconds
  std::int64_t processors = 0;
  bool failed = false;

  friend bool operator==(const Attempt&, const Attempt&) = default;
};

/// All executions of a run by start, those with equal starts in the order in which they were started.
using Schedule = std::vector<Attempt>;

}  // namespace holdfast::taskgraph
