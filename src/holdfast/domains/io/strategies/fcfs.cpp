#include "holdfast/domains/io/strategies/greedy.hpp"
#include "holdfast/domains/io/strategies/makers.hpp"

namespace holdfast::io {
namespace {

// Requests come in order of posting, so there is nothing to sort.
class Fcfs final : public Strategy {
 public:
  void share(const Situation& situation, std::span<double> rates) override {
    Purse purse(situation.bandwidth);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      rates[i] = purse.give(situation.requests[i].bandwidth);
    }
  }
  [[nodiscard]] Rank rank() const override { return Rank::posted; }
};

}  // namespace

std::unique_ptr<Strategy> make_fcfs(const Setting&) {
  return std::make_unique<Fcfs>();
}

}  // namespace holdfast::io
