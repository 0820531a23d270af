#include "holdfast/field/learned.hpp"

#include <cmath>
#include <vector>

namespace holdfast::field {
namespace {

void restore(checkpoint::CostEstimate& to, const std::vector<double>& durations) {
  for (const double seconds : durations) {
    if (std::isfinite(seconds) && seconds >= 0) to.add(seconds);
  }
}

}  // namespace

checkpoint::Learned learned_of(const std::optional<entry::Estimate>& estimate,
                               checkpoint::Learned base) {
  if (!estimate) return base;
  base.interruptions = estimate->interruptions.value_or(base.interruptions);
  base.expected = estimate->expected.value_or(base.expected);
  restore(base.checkpoint, estimate->checkpoints);
  restore(base.recovery, estimate->recoveries);
  restore(base.downtime, estimate->downtimes);
  return base;
}

}  // namespace holdfast::field
