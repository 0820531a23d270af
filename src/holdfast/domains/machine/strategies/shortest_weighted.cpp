#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/machine/strategies/in_turn.hpp"

namespace holdfast::machine {
namespace {

// Smith's rule: the cost of a second of waiting, divided by the seconds that the transfer takes. A job that stalls costs its
// nodes; a job that works costs its nodes times its failure rate times the work that it would lose.
class ShortestWeighted final : public InTurn {
 protected:
  void order_by(const bandwidth::Situation& situation, std::span<const std::uint32_t> waiting,
                std::span<double> keys) override {
    for (std::size_t k = 0; k < waiting.size(); ++k) {
      const bandwidth::Pending& r = situation.requests[waiting[k]];
      const double cost =
          r.stalled ? r.nodes : r.nodes * r.failure_rate * (r.recovery + r.since_save);
      keys[k] = -cost * r.bandwidth / r.remaining;
    }
  }
};

}  // namespace

std::unique_ptr<bandwidth::Strategy> make_shortest_weighted(const StrategySpec&) {
  return std::make_unique<ShortestWeighted>();
}

}  // namespace holdfast::machine
