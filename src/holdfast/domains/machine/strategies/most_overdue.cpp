#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/machine/strategies/in_turn.hpp"

namespace holdfast::machine {
namespace {

// First jobs that stall, by nodes divided by length (Smith's rule). Then jobs that work, by the work since their last save
// divided by the period that is optimal under the bandwidth, largest first: real periods are pulled towards the optimal ones,
// and the file system never idles.
class MostOverdue final : public InTurn {
 public:
  [[nodiscard]] bool uses_targets() const override { return true; }

 protected:
  void order_by(const bandwidth::Situation& situation, std::span<const std::uint32_t> waiting,
                std::span<double> keys) override {
    for (std::size_t k = 0; k < waiting.size(); ++k) {
      const bandwidth::Pending& r = situation.requests[waiting[k]];
      // Negative for all jobs that stall, positive for all that work.
      keys[k] = r.stalled ? -r.nodes * r.bandwidth / r.remaining : r.target / r.since_save;
    }
  }
};

}  // namespace

std::unique_ptr<bandwidth::Strategy> make_most_overdue(const StrategySpec&) {
  return std::make_unique<MostOverdue>();
}

}  // namespace holdfast::machine
