#include "holdfast/domains/sketch/metrics.hpp"

#include <array>

namespace holdfast::sketch {
namespace {

constexpr auto kRows = std::to_array<MetricRow<Metrics>>({
    {{"makespan", Unit::seconds, Better::lower, "from start to the end of the last save"},
     member<&Metrics::makespan>},
    {{"failures", Unit::none, Better::lower, "failures that cost a segment"},
     member<&Metrics::failures>},
});

}  // namespace

std::span<const MetricRow<Metrics>> metric_rows() {
  return kRows;
}

std::vector<Metric> metrics() {
  return metrics_of(metric_rows());
}

}  // namespace holdfast::sketch
