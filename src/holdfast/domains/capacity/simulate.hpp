#pragma once

#include "holdfast/base/stop.hpp"
#include "holdfast/domains/capacity/strategy.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// Makes the strategy of one run, for the room that it decides in.
using StrategyMaker = std::function<std::unique_ptr<Strategy>(Room&)>;

/// Returns one window. At one instant: runs that end (by job), change of the capacity (all removed machines killed before
/// anything is placed again), planned starts, arrivals (by release, then position). Profile `author`: planned starts
/// first, and runs that end by machine, one by one. A job that ends at the instant its machine goes off is complete.
/// At the end of the window only ends are processed (`author`: a change of the capacity too).
/// Source: specification 3.1 and 3.8.
/// @param tasks  tasks_of(instance)
/// @param log    every execution, when not null
/// @param stop   once wanted, the run ends at the next instant and its metrics say nothing
[[nodiscard]] Metrics simulate(const Instance& instance, std::span<const Task> tasks,
                               const StrategyMaker& maker, std::vector<Execution>* log = nullptr,
                               Stop stop = {});

}  // namespace holdfast::capacity
