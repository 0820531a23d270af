#include "holdfast/algorithms/checkpoints/continuous.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/models/resilience/period.hpp"

namespace holdfast::checkpoint {
namespace {

class NextStep final : public Strategy {
 public:
  explicit NextStep(const Instance& instance)
      : planner_{instance.checkpoint, instance.ends, checkpoints::Goal::efficiency,
                 young_daly_period(instance.checkpoint, job_mtbf(instance))} {}

  std::span<const double> decide(const State& state) override {
    return planner_.plan(state.outlook, state.work_left);
  }
  std::span<const Candidate> candidates() const override { return planner_.candidates(); }

 private:
  checkpoints::ContinuousPlanner planner_;
};

}  // namespace

Made make_next_step(const Instance& instance, const StrategySpec&) {
  return std::make_unique<NextStep>(instance);
}

}  // namespace holdfast::checkpoint
