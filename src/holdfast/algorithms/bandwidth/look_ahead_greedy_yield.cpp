#include "holdfast/algorithms/bandwidth/greedy.hpp"
#include "holdfast/algorithms/bandwidth/strategies.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace holdfast::bandwidth {
namespace {

// Tries each request as the first one, with the others after it in the order of GreedyYield, and keeps the one that leaves the
// largest minimum yield when the first operation ends.
class LookAhead final : public Strategy {
 public:
  explicit LookAhead(const LookAheadReading& reading)
      : in_window_{reading.in_window}, floor_{reading.floor}, ranking_{reading.ties_by_index} {}

  [[nodiscard]] bool uses_median() const override { return floor_ > 0; }

  void share(const Situation& situation, std::span<double> rates) override {
    const auto order = ranking_.sort(situation.requests, yields_of(situation.requests, yields_));
    // Looking one operation ahead can starve an application for ever; the floor limits how far it falls behind.
    if (yields_[order.front()] < floor_ * situation.median_yield) {
      return serve_in_order(situation, order, rates);
    }
    candidates_.assign(order.begin(), order.end());
    if (in_window_) {
      std::sort(candidates_.begin(), candidates_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return situation.requests[a].application < situation.requests[b].application;
      });
    }
    const double margin = in_window_ ? 1 : 1 + kTie;
    double best = -1;
    std::uint32_t chosen = candidates_.front();
    for (const std::uint32_t first : candidates_) {
      const double value = value_of(situation, order, first, best * margin);
      if (value > best * margin || best < 0) {
        best = value;
        chosen = first;
      }
    }
    serve(situation, order, chosen);
    std::fill(rates.begin(), rates.end(), 0.0);
    for (const Grant& grant : served_) rates[grant.request] = grant.rate;
  }

 private:
  struct Grant {
    std::uint32_t request = 0;
    double rate = 0;
  };

  void serve(const Situation& situation, std::span<const std::uint32_t> order,
             std::uint32_t first) {
    served_.clear();
    BandwidthBudget budget(situation.bandwidth);
    const auto give = [&](std::uint32_t i) {
      served_.push_back({i, budget.give(situation.requests[i].bandwidth)});
    };
    give(first);
    for (auto next = order.begin(); !budget.is_empty() && next != order.end(); ++next) {
      if (*next != first) give(*next);
    }
  }

  // Returns Z_c; if Z_c is not above `enough`, any value that is not. Requests with low yields are examined first, so that this
  // is found early.
  double value_of(const Situation& situation, std::span<const std::uint32_t> order,
                  std::uint32_t first, double enough) {
    serve(situation, order, first);
    double horizon = in_window_ ? situation.left : kNever;
    for (const Grant& grant : served_) {
      horizon = std::min(horizon, situation.requests[grant.request].remaining / grant.rate);
    }
    double least = std::numeric_limits<double>::infinity();
    for (const Grant& grant : served_) {
      const Pending& r = situation.requests[grant.request];
      least =
          std::min(least, (r.progress + grant.rate * horizon / r.bandwidth) / (r.age + horizon));
    }
    for (const std::uint32_t i : order) {
      if (least <= enough) break;
      if (is_served(i)) continue;
      const Pending& r = situation.requests[i];
      least = std::min(least, r.progress / (r.age + horizon));
    }
    return least;
  }

  [[nodiscard]] bool is_served(std::uint32_t request) const {
    return std::any_of(served_.begin(), served_.end(),
                       [request](const Grant& grant) { return grant.request == request; });
  }

  bool in_window_;
  double floor_;  // share of the median yield; below it the lowest yields come first
  Ranking ranking_;
  std::vector<double> yields_;
  std::vector<std::uint32_t> candidates_;
  std::vector<Grant> served_;
};

}  // namespace

std::unique_ptr<Strategy> make_look_ahead(const LookAheadReading& reading) {
  return std::make_unique<LookAhead>(reading);
}

}  // namespace holdfast::bandwidth
