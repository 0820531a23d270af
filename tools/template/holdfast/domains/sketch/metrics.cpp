#include "holdfast/domains/sketch/metrics.hpp"

#include "holdfast/contract/metric_table.hpp"

#include <array>

namespace holdfast::sketch {
namespace {

constexpr auto kMetrics = std::to_array<MetricRow<Metrics>>({
    {{"makespan", Unit::seconds, Better::lower, "from start to the end of the last save"},
     member<&Metrics::makespan>},
    {{"failures", Unit::none, Better::lower, "failures that cost a segment"},
     member<&Metrics::failures>},
});

}  // namespace

std::vector<Metric> metrics() {
  return holdfast::metrics_of<Metrics>(kMetrics);
}

std::vector<std::optional<double>> values(const Metrics& metrics) {
  return values_of<Metrics>(kMetrics, metrics);
}

Metrics metrics_of(const Outcome& outcome) {
  return metrics_from<Metrics>(kMetrics, outcome.metrics);
}

}  // namespace holdfast::sketch
