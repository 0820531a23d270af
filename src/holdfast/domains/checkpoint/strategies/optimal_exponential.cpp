#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/strategies/equal_segments.hpp"
#include "holdfast/models/resilience/job.hpp"

#include <cmath>

namespace holdfast::checkpoint {

// Replanning after each event would change nothing while failures are exponential (thesis, theorem 21).
Made make_optimal_exponential(const Instance& instance, const StrategySpec& spec) {
  const double mtbf = mtbf_for(instance, spec);
  if (std::isinf(instance.work))
    return segments_of_period(instance,
                              late_optimal_period(instance.checkpoint, mtbf, instance.late));
  ResilienceCosts costs = instance.costs();
  costs.checkpoint = planned_checkpoint(costs.checkpoint, instance.late);
  const JobPlan best = optimal_job(instance.work, costs, 1 / mtbf, instance.ends);
  return std::make_unique<EqualSegments>(instance, best.segments);
}

}  // namespace holdfast::checkpoint
