#include "holdfast/algorithms/bandwidth/greedy.hpp"
#include "holdfast/algorithms/bandwidth/strategies.hpp"

namespace holdfast::bandwidth {
namespace {

// Requests come in order of posting, so there is nothing to sort.
class Fcfs final : public Strategy {
 public:
  void share(const Situation& situation, std::span<double> rates) override {
    BandwidthBudget budget(situation.bandwidth);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      rates[i] = budget.give(situation.requests[i].bandwidth);
    }
  }
  [[nodiscard]] Rank rank() const override { return Rank::posted; }
  [[nodiscard]] bool uses_history() const override { return false; }
  [[nodiscard]] bool stands_while_full() const override { return true; }
};

}  // namespace

std::unique_ptr<Strategy> make_fcfs() {
  return std::make_unique<Fcfs>();
}

}  // namespace holdfast::bandwidth
