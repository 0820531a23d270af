#include "holdfast/domains/checkpoint/metrics.hpp"

#include <array>

namespace holdfast::checkpoint {
namespace {

constexpr auto kMetrics = std::to_array<Metric>({
    {.name = "makespan",
     .unit = "s",
     .better = Better::lower,
     .summary = "from start to the end of the last checkpoint"},
    {.name = "failures",
     .unit = "",
     .better = Better::lower,
     .summary = "interruptions of the job"},
    {.name = "checkpoints",
     .unit = "",
     .better = Better::neither,
     .summary = "checkpoints completed"},
    {.name = "efficiency",
     .unit = "",
     .better = Better::higher,
     .summary = "work saved / makespan"},
});

}  // namespace

std::span<const Metric> metrics() {
  return kMetrics;
}

Outcome outcome(const Metrics& metrics) {
  Outcome out;
  out.metrics = {metrics.makespan, static_cast<double>(metrics.failures),
                 static_cast<double>(metrics.checkpoints), metrics.efficiency};
  out.completed = metrics.completed;
  out.in_statistics = !metrics.given_up;
  return out;
}

Metrics metrics_of(const Outcome& outcome) {
  return {.makespan = *outcome.metrics[0],
          .failures = static_cast<std::int64_t>(*outcome.metrics[1]),
          .checkpoints = static_cast<std::int64_t>(*outcome.metrics[2]),
          .efficiency = *outcome.metrics[3],
          .completed = outcome.completed,
          .given_up = !outcome.in_statistics};
}

}  // namespace holdfast::checkpoint
