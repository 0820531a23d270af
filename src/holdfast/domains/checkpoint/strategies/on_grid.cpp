#include "holdfast/domains/checkpoint/strategies/on_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace holdfast::checkpoint {
namespace {

class OnGrid final : public Strategy {
 public:
  OnGrid(const Instance& instance, double quantum, checkpoints::Goal goal)
      : checkpoint_{planned_checkpoint(instance.checkpoint, instance.late)},
        quantum_{quantum},
        planner_{checkpoint_, instance.ends, goal} {}

  std::span<const double> decide(const State& state) override {
    const double work = std::min(state.work_left, reach(state));
    return planner_.plan(state.outlook, work, std::min(quantum_, work));
  }
  bool looks_past_flush() const override { return true; }
  std::span<const Candidate> candidates() const override { return planner_.candidates(); }
  double quantum() const override { return quantum_; }

 private:
  // A grid is limited in size: for a longer job, the first part is planned, and the rest when the run gets there.
  double reach(const State& state) const {
    const double most = quantum_ * checkpoints::GridPlanner::kMostQuanta;
    if (std::isfinite(state.work_left)) return most;
    // For a job without end: as far as the probability of survival is exp(-45).
    const double span = std::min(most, 1e6 * checkpoint_);
    return std::max(state.outlook.curve(span).inverse(45), quantum_);
  }

  double checkpoint_;
  double quantum_;
  checkpoints::GridPlanner planner_;
};

}  // namespace

Made strategy_on_grid(const Instance& instance, double quantum, checkpoints::Goal goal) {
  if (!(quantum > 0 && quantum <= instance.work)) {
    return fail(
        ErrorCode::bad_value, "/quantum",
        fmt::format("found {} s, expected a duration greater than 0 and at most the work, {} s",
                    quantum, instance.work));
  }
  return std::make_unique<OnGrid>(instance, quantum, goal);
}

}  // namespace holdfast::checkpoint
