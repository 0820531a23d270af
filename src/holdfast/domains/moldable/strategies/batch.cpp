#include "holdfast/domains/moldable/balance.hpp"
#include "holdfast/domains/moldable/strategies/makers.hpp"

namespace holdfast::moldable {
namespace {

/// Batches of at most 1, 2, 4 ... attempts per job; in each, the jobs that are left are balanced
/// against each other.
class Batch final : public Strategy {
 public:
  Batch(Priority priority, BalanceRules rules) : Strategy(priority), rules_{rules} {}

  std::int64_t attempts(int batch) const override { return std::int64_t{1} << (batch - 1); }
  bool is_batched() const override { return true; }
  void allot(const State& state, std::int64_t attempts, Allotment& out) const override {
    balance(state, attempts, rules_, out);
  }

 private:
  BalanceRules rules_;
};

}  // namespace

std::unique_ptr<Strategy> batch_rule() {
  return std::make_unique<Batch>(Priority::lpt, BalanceRules{.slack = 0});
}

Result<std::unique_ptr<Strategy>> make_batch(const StrategySpec& spec, const Instance&) {
  return std::make_unique<Batch>(
      priority_of(spec),
      BalanceRules{.slack = spec.number("slack"), .epsilon = spec.number("epsilon")});
}

}  // namespace holdfast::moldable
