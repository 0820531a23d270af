#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/machine/strategy.hpp"

namespace holdfast::machine {
namespace {

// As if each job had a file system of its own: the cost of contention is the difference to this.
class Alone final : public bandwidth::Strategy {
 public:
  [[nodiscard]] bool uses_history() const override { return false; }
  void share(const bandwidth::Situation& situation, std::span<double> rates) override {
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = situation.requests[i].bandwidth;
  }
};

}  // namespace

std::unique_ptr<bandwidth::Strategy> make_alone(const StrategySpec&) {
  return std::make_unique<Alone>();
}

}  // namespace holdfast::machine
