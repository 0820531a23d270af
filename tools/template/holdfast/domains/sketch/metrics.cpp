#include "holdfast/domains/sketch/metrics.hpp"

#include <array>

namespace holdfast::sketch {
namespace {

constexpr auto kMetrics = std::to_array<Metric>({
    {.name = "makespan",
     .unit = "s",
     .better = Better::lower,
     .summary = "from start to the end of the last save"},
    {.name = "failures",
     .unit = "",
     .better = Better::lower,
     .summary = "failures that cost a segment"},
});

}  // namespace

std::span<const Metric> metrics() {
  return kMetrics;
}

Outcome outcome(const Metrics& metrics) {
  Outcome out;
  out.metrics = {metrics.makespan, static_cast<double>(metrics.failures)};
  return out;
}

Metrics metrics_of(const Outcome& outcome) {
  return {.makespan = *outcome.metrics[0],
          .failures = static_cast<std::int64_t>(*outcome.metrics[1])};
}

}  // namespace holdfast::sketch
