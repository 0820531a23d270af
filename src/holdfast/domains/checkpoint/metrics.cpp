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
    {{"waiting", Unit::seconds, Better::lower, "time after downtimes in which a node was lacking"},
     member<&Metrics::waiting>},
    {{"shortages", Unit::none, Better::lower, "times that a full job lost its last reserve"},
     member<&Metrics::shortages>},
    {{"node_failures", Unit::none, Better::lower, "failures of nodes in use, also in waits"},
     member<&Metrics::node_failures>},
    {{"idle", Unit::none, Better::neither, "node-seconds of idle nodes"}, member<&Metrics::idle>},
    {{"repairs", Unit::none, Better::neither, "repairs that ended"}, member<&Metrics::repairs>},
    {{"failed_repairs", Unit::none, Better::lower, "those that did not help"},
     member<&Metrics::failed_repairs>},
    {{"joins", Unit::none, Better::neither, "times that a smaller job took nodes back"},
     member<&Metrics::joins>},
    {{"cost", Unit::none, Better::lower, "node-hours of nodes and spares, or their price"},
     member<&Metrics::cost>},
    {{"cost_per_useful", Unit::none, Better::lower, "cost / node-hours of work saved"},
     member<&Metrics::cost_per_useful>},
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
