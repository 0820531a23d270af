#include "holdfast/algorithms/bandwidth/next_event.hpp"
#include "holdfast/algorithms/bandwidth/strategies.hpp"

#include <algorithm>

namespace holdfast::bandwidth {
namespace {

class BestNextEvent final : public Strategy {
 public:
  explicit BestNextEvent(bool whole_window) : whole_window_{whole_window} {}

  void share(const Situation& situation, std::span<double> rates) override {
    const NextEvent event =
        search_.best(situation, whole_window_ ? situation.window : situation.left);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      rates[i] = std::min(search_.volumes()[i] / event.horizon, situation.requests[i].bandwidth);
    }
  }

 private:
  bool whole_window_;
  NextEventSearch search_;
};

}  // namespace

std::unique_ptr<Strategy> make_best_next_event(bool whole_window) {
  return std::make_unique<BestNextEvent>(whole_window);
}

}  // namespace holdfast::bandwidth
