#pragma once

#include "holdfast/base/stop.hpp"
#include "holdfast/domains/capacity/strategy.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// A function that makes the strategy of one run on a cluster.
using StrategyMaker = std::function<std::unique_ptr<Strategy>(ClusterState&)>;

/// Returns the risk rank of each machine: it is on while its rank is below the number alive.
[[nodiscard]] std::vector<std::int64_t> ranks_of(const StrategyMaker& maker,
                                                 const Instance& instance,
                                                 std::span<const Task> tasks);

/// Simulates one window. Events at the same instant are handled in this order: runs that end (by job), the change of the
/// capacity (all removed machines are killed before anything is placed again), planned starts, arrivals (by release, then
/// position). In profile `author`, planned starts come first, and runs end by machine, one by one. A job that ends at the
/// instant its machine goes off is complete. At the end of the window only ends are processed (`author`: also a change of the
/// capacity).
/// Source: Perotin's thesis, section 4.5.1, and its author's simulator.
/// @param tasks  tasks_of(instance)
/// @param log    receives every execution; may be null
/// @param stop   once a stop is requested, the run ends at the next instant, and its metrics are meaningless
[[nodiscard]] Metrics simulate(const Instance& instance, std::span<const Task> tasks,
                               const StrategyMaker& maker, std::vector<Execution>* log = nullptr,
                               Stop stop = {});

}  // namespace holdfast::capacity
