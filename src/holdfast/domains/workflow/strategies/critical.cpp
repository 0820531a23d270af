#include "holdfast/domains/workflow/strategies/makers.hpp"
#include "holdfast/domains/workflow/task_planner.hpp"

#include <algorithm>
#include <vector>

namespace holdfast::workflow {
namespace {

/// Young/Daly periods divided by the importance of the task; with ages, NextStep for a hazard that is multiplied by its square,
/// which is the same for a constant hazard.
class Critical final : public Strategy {
 public:
  void decide(const Situation& situation, std::span<Cut> cuts) const override {
    if (const auto weights = hazard_weights(situation)) {
      std::ranges::copy(planned_cuts(situation, *weights), cuts.begin());
      return;
    }
    const std::vector<double> factors = importance(situation);
    for (std::size_t task = 0; task < cuts.size(); ++task) {
      const TaskView view = situation.view(task);
      cuts[task] = cut_by_period(factors[task] * view.length, view.young_daly());
      cuts[task].period = view.young_daly() / factors[task];
    }
  }
  std::optional<std::vector<double>> hazard_weights(const Situation& situation) const override {
    if (!situation.instance->law) return std::nullopt;
    std::vector<double> out = importance(situation);
    for (double& weight : out) weight *= weight;
    return out;
  }
};

}  // namespace

Made make_critical(const StrategySpec&, const Instance& instance) {
  HOLDFAST_CHECK(has_period(instance));
  return std::make_unique<Critical>();
}

}  // namespace holdfast::workflow
