#include "holdfast/domains/taskgraph/metrics.hpp"

#include "holdfast/contract/metric_table.hpp"

#include <array>

namespace holdfast::taskgraph {
namespace {

constexpr auto kRows = std::to_array<MetricRow<Metrics>>({
    {{"makespan", Unit::seconds, Better::lower, "from the start to the last completion"},
     member<&Metrics::makespan>},
    {{"lower_bound", Unit::seconds, Better::neither,
      "no schedule ends earlier: area and critical path, failed attempts included", "", "",
      "makespan"},
     member<&Metrics::lower_bound>},
    {{"ratio", Unit::none, Better::lower, "makespan / lower_bound"}, member<&Metrics::ratio>},
    {{"utilization", Unit::none, Better::neither,
      "busy share of the machine until the last completion"},
     member<&Metrics::utilization>},
    {{"attempts", Unit::none, Better::neither, "executions of tasks, failed ones included"},
     member<&Metrics::attempts>},
});

}  // namespace

std::vector<Metric> metrics() {
  return metrics_of<Metrics>(kRows);
}

std::vector<std::optional<double>> values(const Metrics& metrics) {
  return values_of<Metrics>(kRows, metrics);
}

}  // namespace holdfast::taskgraph
