#include "holdfast/domains/volatile/metrics.hpp"

#include "holdfast/contract/metric_table.hpp"

#include <array>

namespace holdfast::volatile_workers {
namespace {

constexpr auto kRows = std::to_array<MetricRow<Metrics>>({
    {{"makespan", Unit::slots, Better::lower, "slots until the last iteration is finished"},
     member<&Metrics::makespan>},
    {{"lower_bound", Unit::slots, Better::neither,
      "no strategy ends earlier with these states, whatever it knows of them", "", "", "makespan"},
     member<&Metrics::lower_bound>},
    {{"optimum", Unit::slots, Better::neither,
      "earliest possible end if these states are known; only if nothing is sent and the search was "
      "completed"},
     member<&Metrics::optimum>},
    {{"completed_iterations", Unit::none, Better::higher,
      "iterations finished before the slot limit"},
     member<&Metrics::completed_iterations>},
    {{"configurations", Unit::none, Better::neither, "configurations adopted"},
     member<&Metrics::configurations>},
    {{"attempts_lost", Unit::none, Better::lower, "configurations lost because a member went down"},
     member<&Metrics::attempts_lost>},
});

}  // namespace

std::vector<Metric> metrics() {
  return metrics_of<Metrics>(kRows);
}

std::vector<std::optional<double>> values(const Metrics& metrics) {
  return values_of<Metrics>(kRows, metrics);
}

}  // namespace holdfast::volatile_workers
