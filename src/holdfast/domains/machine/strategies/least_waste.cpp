#include "holdfast/domains/machine/strategies/least_waste.hpp"

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/machine/strategies/in_turn.hpp"

namespace holdfast::machine {

// The sums over all jobs are computed once, and each job's own part is subtracted. Within v seconds, a job that works fails
// with probability v q/mu and loses recovery + work since the last save + v/2. Source: Herault et al. 2018, least-waste;
// derived again, see docs/findings.md.
void least_waste_costs(const bandwidth::Situation& situation,
                       std::span<const std::uint32_t> waiting, std::span<double> costs) {
  double stalled = 0, waited = 0, struck = 0, risked = 0;
  for (const std::uint32_t i : waiting) {
    const bandwidth::Pending& r = situation.requests[i];
    if (r.stalled) {
      stalled += r.nodes;
      waited += r.nodes * (situation.now - r.posted);
    } else {
      struck += r.failure_rate * r.nodes;
      risked += r.failure_rate * r.nodes * (r.recovery + r.since_save);
    }
  }
  for (std::size_t k = 0; k < waiting.size(); ++k) {
    const bandwidth::Pending& r = situation.requests[waiting[k]];
    const double length = r.remaining / r.bandwidth;
    const double own_stalled = r.stalled ? r.nodes : 0;
    const double own_struck = r.stalled ? 0 : r.failure_rate * r.nodes;
    costs[k] = waited - own_stalled * (situation.now - r.posted) +
               length * (stalled - own_stalled) +
               length * (risked - own_struck * (r.recovery + r.since_save)) +
               length * length / 2 * (struck - own_struck);
  }
}

namespace {

class LeastWaste final : public InTurn {
 protected:
  void order_by(const bandwidth::Situation& situation, std::span<const std::uint32_t> waiting,
                std::span<double> keys) override {
    least_waste_costs(situation, waiting, keys);
  }
};

}  // namespace

std::unique_ptr<bandwidth::Strategy> make_least_waste(const StrategySpec&) {
  return std::make_unique<LeastWaste>();
}

}  // namespace holdfast::machine
