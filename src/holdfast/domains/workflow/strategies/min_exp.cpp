#include "holdfast/domains/workflow/strategies/makers.hpp"

namespace holdfast::workflow {
namespace {

/// Cuts each task as if it ran alone.
class MinExp final : public LocalStrategy {
 public:
  Cut cut(const TaskView& task) const override {
    return cut_by_period(task.length, task.young_daly());
  }
};

}  // namespace

Made make_min_exp(const StrategySpec&, const Instance& instance) {
  HOLDFAST_CHECK(has_period(instance));
  return std::make_unique<MinExp>();
}

}  // namespace holdfast::workflow
