#include "holdfast/domains/moldable/metrics.hpp"

#include "holdfast/contract/metric_table.hpp"

#include <array>

namespace holdfast::moldable {
namespace {

constexpr auto kRows = std::to_array<MetricRow<Metrics>>({
    {{"makespan", Unit::seconds, Better::lower, "when the last attempt ends"},
     member<&Metrics::makespan>},
    {{"lower_bound", Unit::seconds, Better::neither,
      "no schedule of the same attempts ends earlier", "", "", "makespan"},
     member<&Metrics::lower_bound>},
    {{"ratio", Unit::none, Better::lower, "makespan over lower bound", "makespan", "lower_bound"},
     member<&Metrics::ratio>},
    {{"batches", Unit::none, Better::neither, "batches until all jobs had succeeded"},
     member<&Metrics::batches>},
    {{"guarantee", Unit::seconds, Better::neither,
      "makespan that the theorems allow for this very run"},
     member<&Metrics::guarantee>},
});

}  // namespace

std::vector<Metric> metrics() {
  return metrics_of<Metrics>(kRows);
}

std::vector<std::optional<double>> values(const Metrics& metrics) {
  return values_of<Metrics>(kRows, metrics);
}

}  // namespace holdfast::moldable
