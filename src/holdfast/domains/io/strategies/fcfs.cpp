#include "holdfast/domains/io/strategies/greedy.hpp"
#include "holdfast/domains/io/strategies/makers.hpp"

#include <algorithm>

namespace holdfast::io {
namespace {

// Requests come in order of posting, so there is nothing to sort.
class Fcfs final : public Strategy {
 public:
  void share(const Situation& situation, std::span<double> rates) override {
    double left = situation.bandwidth;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      rates[i] = std::min(situation.requests[i].bandwidth, left);
      left -= rates[i];
    }
  }
};

}  // namespace

std::unique_ptr<Strategy> make_fcfs(const Setting&) {
  return std::make_unique<Fcfs>();
}

}  // namespace holdfast::io
