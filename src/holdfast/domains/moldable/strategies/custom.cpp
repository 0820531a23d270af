#include "holdfast/contract/allocation_rule.hpp"
#include "holdfast/domains/moldable/decision.hpp"
#include "holdfast/domains/moldable/strategies/makers.hpp"

#include <vector>

namespace holdfast::moldable {
namespace {

// One batch without a limit on attempts, longest jobs first, as in strategies that look at one job at a time.
class Custom final : public RuleStrategy<Strategy> {
 public:
  explicit Custom(const StrategySpec& spec) : RuleStrategy(spec, decision(), Priority::lpt) {}

  void allot(const State& state, std::int64_t, Allotment& out) const override {
    std::vector<std::int64_t> limits;
    for (const std::uint32_t job : state.pending) {
      limits.push_back(state.jobs[job].limit(state.processors));
    }
    const bool is_decided = ask_allocations(
        run_, state.processors, limits, [&](std::size_t position, std::int64_t processors) {
          return state.jobs[state.pending[position]].time(processors);
        });
    out.clear();
    for (std::size_t position = 0; position < limits.size(); ++position) {
      const double processors = is_decided ? run_.answer()[position] : 1;
      out.runs.push_back({static_cast<std::int64_t>(processors), kUnlimited});
      out.end_job();
    }
  }
};

}  // namespace

const DecisionTable& decision() {
  static const DecisionTable kDecision =
      allocation_table("once, for all jobs", "jobs, in the order of the document");
  return kDecision;
}

Result<std::unique_ptr<Strategy>> make_custom(const StrategySpec& spec, const Instance&) {
  return std::make_unique<Custom>(spec);
}

}  // namespace holdfast::moldable
