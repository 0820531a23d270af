#include "holdfast/domains/workflow/metrics.hpp"

#include "holdfast/contract/metric_table.hpp"

#include <array>

namespace holdfast::workflow {
namespace {

constexpr auto kRows = std::to_array<MetricRow<Metrics>>({
    {{"makespan", Unit::seconds, Better::lower, "when the last task ends"},
     member<&Metrics::makespan>},
    {{"ratio", Unit::none, Better::lower,
      "makespan divided by that without failures and checkpoints"},
     member<&Metrics::ratio>},
    {{"failures", Unit::none, Better::neither, "failures that struck a task"},
     member<&Metrics::failures>},
    {{"checkpointed_ratio", Unit::none, Better::lower,
      "makespan divided by that without failures but with one checkpoint after each task"},
     member<&Metrics::checkpointed_ratio>},
    {{"expected_bound", Unit::seconds, Better::neither,
      "no strategy has a shorter expected makespan; from the longest path and the total area"},
     member<&Metrics::expected_bound>},
    {{"bound_ratio", Unit::none, Better::lower, "makespan divided by the expected bound",
      "makespan", "expected_bound"},
     member<&Metrics::bound_ratio>},
});

}  // namespace

std::vector<Metric> metrics() {
  return metrics_of<Metrics>(kRows);
}

std::vector<std::optional<double>> values(const Metrics& metrics) {
  return values_of<Metrics>(kRows, metrics);
}

}  // namespace holdfast::workflow
