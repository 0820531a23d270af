#include "holdfast/domains/workflow/metrics.hpp"

#include <array>

namespace holdfast::workflow {
namespace {

constexpr auto kMetrics = std::to_array<Metric>({
    {"makespan", "s", Better::lower, "when the last task ends"},
    {"ratio", "", Better::lower, "makespan over that without failures and checkpoints"},
    {"failures", "", Better::neither, "failures that struck a task"},
    {"checkpointed_ratio", "", Better::lower,
     "makespan over that without failures, one checkpoint after each task"},
});

}  // namespace

std::span<const Metric> metric_table() {
  return kMetrics;
}

std::vector<std::optional<double>> values(const Metrics& metrics) {
  return {metrics.makespan, metrics.ratio, static_cast<double>(metrics.failures),
          metrics.checkpointed_ratio};
}

}  // namespace holdfast::workflow
