#include "holdfast/domains/moldable/balance.hpp"
#include "holdfast/domains/moldable/list_run.hpp"
#include "holdfast/domains/moldable/strategies/makers.hpp"

#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace holdfast::moldable {
namespace {

// balance() does not consider that some jobs of the batch must wait; the slack that makes up for
// this is found by trying these values.
constexpr auto kSlacks = std::to_array<double>({0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5});

/// The strategy `batch`, but each batch uses the slack with which it would end first if nothing failed.
class BatchFit final : public Strategy {
 public:
  BatchFit(Priority priority, double epsilon) : Strategy(priority), epsilon_{epsilon} {}

  std::int64_t attempts(int batch) const override { return std::int64_t{1} << (batch - 1); }
  bool is_batched() const override { return true; }

  void allot(const State& state, std::int64_t attempts, Allotment& out) const override {
    const std::vector<std::int64_t> no_failures(state.jobs.size(), 0);
    ListRunner runner;
    ErrorRealisation errors;
    std::array<Allotment, kSlacks.size()> candidates;
    balance_each(state, attempts, kSlacks, epsilon_, candidates);
    double earliest = std::numeric_limits<double>::infinity();
    for (Allotment& candidate : candidates) {
      errors.fix(no_failures);
      const ListPlan plan(state, candidate, priority(), attempts);
      const double end = runner.run(plan, state.processors, 0, 1, errors).end;
      if (end >= earliest) continue;
      earliest = end;
      std::swap(out, candidate);
    }
  }

 private:
  double epsilon_;
};

}  // namespace

std::unique_ptr<Strategy> batch_fit_rule() {
  return std::make_unique<BatchFit>(Priority::lpt, BalanceRules{}.epsilon);
}

Result<std::unique_ptr<Strategy>> make_batch_fit(const StrategySpec& spec, const Instance&) {
  return std::make_unique<BatchFit>(priority_of(spec), spec.number("epsilon"));
}

}  // namespace holdfast::moldable
