#include "holdfast/algorithms/checkpoints/continuous.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"

namespace holdfast::checkpoint {
namespace {

class NextStep final : public Strategy {
 public:
  explicit NextStep(const Instance& instance)
      : planner_{planned_checkpoint(instance.checkpoint, instance.late), instance.ends,
                 checkpoints::Goal::share, usual_period(instance, job_mtbf(instance))} {}

  std::span<const double> decide(const State& state) override {
    return planner_.plan(state.outlook, state.work_left);
  }
  bool looks_past_flush() const override { return true; }
  std::span<const Candidate> candidates() const override { return planner_.candidates(); }

 private:
  checkpoints::ContinuousPlanner planner_;
};

}  // namespace

// With `wait`, plans that begin with a wait v compete too, and the wait counts in E_T. None of them wins: work through the wait
// instead, and stop where the work ends. Each checkpoint then ends when it did before, or sooner if it is the last, with at
// least as much work before it. So E_W, the sum of what each checkpoint adds times the probability of reaching its end, does
// not fall, and E_T does not rise. The same holds for a wait before a recovery (decision 0048): nothing needs computing.
Made make_next_step(const Instance& instance, const StrategySpec&) {
  return std::make_unique<NextStep>(instance);
}

}  // namespace holdfast::checkpoint
