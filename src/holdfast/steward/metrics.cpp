#include "holdfast/steward/metrics.hpp"

#include "holdfast/base/metrics_text.hpp"

#include <fmt/format.h>

namespace holdfast::steward {

std::string metrics_text(const Look& look, const Said& said, const Charge& charge,
                         const Tally& tally) {
  MetricsText out("holdfast_capacity_");
  const auto nodes = static_cast<std::int64_t>(charge.nodes.size());
  const auto count = [](std::int64_t number) { return static_cast<double>(number); };
  out.one("nodes", "gauge", "Nodes that are cared for.", count(nodes));
  out.one("nodes_allowed", "gauge", "Nodes that may be on.", count(look.capacity.value_or(nodes)));
  out.one("nodes_usable", "gauge", "Nodes on which jobs can start.", count(said.usable));
  out.one("nodes_kept_out", "gauge", "Nodes that somebody else keeps out of service.",
          count(said.kept));
  out.one("jobs_running", "gauge", "Jobs that run on these nodes.", count(said.running));
  out.one("jobs_waiting", "gauge", "Jobs that wait and are cared for.", count(said.waiting));
  out.family("actions_total", "counter", "What was done in Slurm.");
  for (std::size_t i = 0; i < kActions.size(); ++i) {
    out.sample(tally.actions[i], fmt::format("do=\"{}\"", kActions[i]));
  }
  out.one("refused_total", "counter", "What Slurm refused.", tally.refused);
  out.one("troubles_total", "counter", "Times that Slurm or the capacity could not be read.",
          tally.troubles);
  out.one("decisions_total", "counter", "Looks on which was decided.", tally.decisions);
  out.one("decision_seconds_total", "counter", "Time that this took.", tally.decision_seconds);
  return std::move(out).text();
}

}  // namespace holdfast::steward
