#include "holdfast/algorithms/checkpoints/continuous.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/strategies/on_grid.hpp"

namespace holdfast::checkpoint {
namespace {

class NextFailure final : public Strategy {
 public:
  explicit NextFailure(const Instance& instance)
      : planner_{planned_checkpoint(instance.checkpoint, instance.late), instance.ends,
                 checkpoints::Goal::work, usual_period(instance, job_mtbf(instance))} {}

  std::span<const double> decide(const State& state) override {
    return planner_.plan(state.outlook, state.work_left);
  }
  bool looks_past_flush() const override { return true; }
  std::span<const Candidate> candidates() const override { return planner_.candidates(); }

 private:
  checkpoints::ContinuousPlanner planner_;
};

}  // namespace

Made make_next_failure(const Instance& instance, const StrategySpec& spec) {
  if (spec.has("quantum"))
    return strategy_on_grid(instance, spec.number("quantum"), checkpoints::Goal::work);
  return std::make_unique<NextFailure>(instance);
}

}  // namespace holdfast::checkpoint
