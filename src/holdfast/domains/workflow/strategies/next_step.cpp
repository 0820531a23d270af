#include "holdfast/domains/workflow/strategies/makers.hpp"
#include "holdfast/domains/workflow/task_planner.hpp"

#include <algorithm>
#include <vector>

namespace holdfast::workflow {
namespace {

/// NextStep for each task as if it ran alone.
class NextStep final : public Strategy {
 public:
  void decide(const Situation& situation, std::span<Cut> cuts) const override {
    std::ranges::copy(planned_cuts(situation, *hazard_weights(situation)), cuts.begin());
  }
  std::optional<std::vector<double>> hazard_weights(const Situation& situation) const override {
    return std::vector<double>(situation.instance->size(), 1.0);
  }
};

}  // namespace

Made make_next_step(const StrategySpec&, const Instance& instance) {
  HOLDFAST_CHECK(has_period(instance));
  if (instance.law) return std::make_unique<NextStep>();
  return fail(
      ErrorCode::bad_value, "/distribution",
      "is missing; strategy 'next-step' plans from the ages of processors ('lambert' is the "
      "best for each task alone if failures have no memory)");
}

}  // namespace holdfast::workflow
