#include "holdfast/contract/allocation_rule.hpp"
#include "holdfast/domains/taskgraph/decision.hpp"
#include "holdfast/domains/taskgraph/strategies/makers.hpp"

#include <vector>

namespace holdfast::taskgraph {
namespace {

// Tasks wait in order of arrival. The rule is asked when the first allocation is needed, which is when the plan of an
// instance is made: all later runs use its answer.
class Custom final : public RuleStrategy<ListStrategy> {
 public:
  Custom(const StrategySpec& spec, const Instance& instance)
      : RuleStrategy(spec, decision(), QueueOrder::fifo), instance_{instance} {}

  [[nodiscard]] std::int64_t allocate(const Arrival& arrival) const override {
    if (allocations_.empty()) decide();
    return allocations_[arrival.task];
  }

 private:
  void decide() const {
    std::vector<std::int64_t> limits;
    for (const Speedup& task : instance_.tasks) limits.push_back(task.limit(instance_.processors));
    const bool is_decided = ask_allocations(
        run_, instance_.processors, limits,
        [&](std::size_t task, std::int64_t p) { return instance_.tasks[task].time(p); });
    allocations_.assign(instance_.size(), 1);
    if (!is_decided) return;
    for (std::size_t task = 0; task < allocations_.size(); ++task) {
      allocations_[task] = static_cast<std::int64_t>(run_.answer()[task]);
    }
  }

  const Instance& instance_;
  mutable std::vector<std::int64_t> allocations_;  // [n] once decided
};

}  // namespace

const DecisionTable& decision() {
  static const DecisionTable kDecision =
      allocation_table("once, for all tasks of the graph", "tasks, in the order of the document");
  return kDecision;
}

Made make_custom(const StrategySpec& spec, const Instance& instance) {
  return std::make_unique<Custom>(spec, instance);
}

}  // namespace holdfast::taskgraph
