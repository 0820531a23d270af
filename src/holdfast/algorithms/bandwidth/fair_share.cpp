#include "holdfast/algorithms/bandwidth/strategies.hpp"

#include <algorithm>

namespace holdfast::bandwidth {
namespace {

class FairShare final : public Strategy {
 public:
  void share(const Situation& situation, std::span<double> rates) override {
    double asked = 0;
    for (const Pending& request : situation.requests) asked += request.bandwidth;
    const double share = std::min(1.0, situation.bandwidth / asked);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      rates[i] = situation.requests[i].bandwidth * share;
    }
  }
  [[nodiscard]] Rank rank() const override { return Rank::same; }
};

}  // namespace

std::unique_ptr<Strategy> make_fair_share() {
  return std::make_unique<FairShare>();
}

}  // namespace holdfast::bandwidth
