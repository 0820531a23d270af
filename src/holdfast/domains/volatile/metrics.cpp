#include "holdfast/domains/volatile/metrics.hpp"

#include <array>

namespace holdfast::volatile_workers {
namespace {

constexpr auto kMetrics = std::to_array<Metric>({
    {"makespan", "slots", Better::lower, "slots until the last iteration is finished"},
    {"completed_iterations", "", Better::higher, "iterations finished before the slot limit"},
    {"configurations", "", Better::neither, "configurations adopted"},
    {"attempts_lost", "", Better::lower, "configurations lost because a member went down"},
});

}  // namespace

std::span<const Metric> metric_table() {
  return kMetrics;
}

std::vector<std::optional<double>> values(const Metrics& metrics) {
  std::optional<double> makespan;
  if (metrics.makespan) makespan = static_cast<double>(*metrics.makespan);
  return {makespan, static_cast<double>(metrics.completed_iterations),
          static_cast<double>(metrics.configurations), static_cast<double>(metrics.attempts_lost)};
}

}  // namespace holdfast::volatile_workers
