#include "holdfast/domains/taskgraph/metrics.hpp"

#include <array>

namespace holdfast::taskgraph {
namespace {

constexpr auto kMetrics = std::to_array<Metric>({
    {.name = "makespan",
     .unit = "s",
     .better = Better::lower,
     .summary = "from the start to the last completion"},
    {.name = "lower_bound",
     .unit = "s",
     .better = Better::neither,
     .summary = "no schedule ends earlier: area and critical path, failed attempts included"},
    {.name = "ratio", .unit = "", .better = Better::lower, .summary = "makespan / lower_bound"},
    {.name = "utilization",
     .unit = "",
     .better = Better::neither,
     .summary = "busy share of the machine until the last completion"},
    {.name = "attempts",
     .unit = "",
     .better = Better::neither,
     .summary = "executions of tasks, failed ones included"},
});

}  // namespace

std::span<const Metric> metrics() {
  return kMetrics;
}

Outcome outcome(const Metrics& metrics) {
  Outcome out;
  out.metrics = {metrics.makespan, metrics.lower_bound, metrics.ratio, metrics.utilization,
                 static_cast<double>(metrics.attempts)};
  return out;
}

}  // namespace holdfast::taskgraph
