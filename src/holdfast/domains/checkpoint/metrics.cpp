#include "holdfast/domains/checkpoint/metrics.hpp"

#include "holdfast/contract/metric_table.hpp"

#include <array>

namespace holdfast::checkpoint {
namespace {

constexpr auto kRows = std::to_array<MetricRow<Metrics>>({
    {{"makespan", Unit::seconds, Better::lower, "from start to the end of the last checkpoint"},
     member<&Metrics::makespan>},
    {{"failures", Unit::none, Better::lower, "interruptions of the job"},
     member<&Metrics::failures>},
    {{"checkpoints", Unit::none, Better::neither, "checkpoints completed"},
     member<&Metrics::checkpoints>},
    {{"efficiency", Unit::none, Better::higher, "work saved / makespan"},
     member<&Metrics::efficiency>},
    {{"submissions", Unit::none, Better::lower, "submissions of a job with a time limit"},
     member<&Metrics::submissions>},
});

}  // namespace

std::vector<Metric> metrics() {
  return holdfast::metrics_of<Metrics>(kRows);
}

Outcome outcome(const Metrics& metrics) {
  return {.metrics = values_of<Metrics>(kRows, metrics),
          .completed = metrics.completed,
          .in_statistics = !metrics.given_up,
          .details = {},
          .timeline = {}};
}

Metrics metrics_of(const Outcome& outcome) {
  Metrics out = metrics_from<Metrics>(kRows, outcome.metrics);
  out.completed = outcome.completed;
  out.given_up = !outcome.in_statistics;
  return out;
}

}  // namespace holdfast::checkpoint
