#include "holdfast/domains/moldable/metrics.hpp"

#include <array>

namespace holdfast::moldable {
namespace {

constexpr auto kMetrics = std::to_array<Metric>({
    {"makespan", "s", Better::lower, "when the last attempt ends"},
    {"lower_bound", "s", Better::neither, "no schedule of the same attempts ends earlier"},
    {"ratio", "", Better::lower, "makespan over lower bound", "makespan", "lower_bound"},
    {"batches", "", Better::neither, "batches until all jobs had succeeded"},
    {"guarantee", "s", Better::neither, "makespan that the theorems allow for this very run"},
});

}  // namespace

std::span<const Metric> metric_table() {
  return kMetrics;
}

std::vector<std::optional<double>> values(const Metrics& metrics) {
  std::optional<double> batches;
  if (metrics.batches) batches = *metrics.batches;
  return {metrics.makespan, metrics.lower_bound, metrics.ratio, batches, metrics.guarantee};
}

}  // namespace holdfast::moldable
