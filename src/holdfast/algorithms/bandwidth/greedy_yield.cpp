#include "holdfast/algorithms/bandwidth/greedy.hpp"
#include "holdfast/algorithms/bandwidth/strategies.hpp"

#include <limits>

namespace holdfast::bandwidth {
namespace {

class GreedyYield : public Strategy {
 public:
  explicit GreedyYield(bool by_index) : by_index_{by_index}, ranking_{by_index} {}

  void share(const Situation& situation, std::span<double> rates) override {
    ranking_.serve(situation, yields_of(situation.requests, yields_), rates);
  }
  [[nodiscard]] Rank rank() const override { return by_index_ ? Rank::asked : Rank::progress; }

 private:
  bool by_index_;
  Ranking ranking_;
  std::vector<double> yields_;
};

// GreedyYield that also decides at every multiple of a period from the begin of the window or, if `rolling`, one period after
// the last decision.
class Periodic final : public GreedyYield {
 public:
  explicit Periodic(const PeriodicReading& reading)
      : GreedyYield{reading.ties_by_index},
        is_rolling_{reading.rolling},
        begin_{reading.begin},
        period_{reading.period} {}

  [[nodiscard]] double next_date(double now) override {
    if (is_rolling_) return now + period_;
    const double reached = now * (1 + 4 * std::numeric_limits<double>::epsilon());
    while (begin_ + static_cast<double>(ticks_) * period_ <= reached) ++ticks_;
    return begin_ + static_cast<double>(ticks_) * period_;
  }
  [[nodiscard]] double period() const override { return period_; }

 private:
  bool is_rolling_;
  double begin_;
  double period_;
  std::int64_t ticks_ = 1;
};

}  // namespace

std::unique_ptr<Strategy> make_greedy_yield(bool ties_by_index) {
  return std::make_unique<GreedyYield>(ties_by_index);
}

std::unique_ptr<Strategy> make_periodic(const PeriodicReading& reading) {
  return std::make_unique<Periodic>(reading);
}

}  // namespace holdfast::bandwidth
