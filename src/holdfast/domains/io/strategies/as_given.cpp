#include "holdfast/domains/io/strategies/makers.hpp"

#include <algorithm>

namespace holdfast::io {
namespace {

// The rates listed in the instance, from their dates on; bandwidth that an application cannot use stays unused.
class AsGiven final : public Strategy {
 public:
  explicit AsGiven(std::span<const GivenRates> given) : given_{given} {}

  void share(const Situation& situation, std::span<double> rates) override {
    while (next_ < given_.size() && given_[next_].time <= situation.now) ++next_;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const Pending& request = situation.requests[i];
      rates[i] = next_ == 0
                     ? 0
                     : std::min(given_[next_ - 1].rates[request.application], request.bandwidth);
    }
  }
  [[nodiscard]] double next_date(double now) override {
    std::size_t next = next_;
    while (next < given_.size() && given_[next].time <= now) ++next;
    return next < given_.size() ? given_[next].time : kNever;
  }

 protected:
  [[nodiscard]] bool fills_up() const override { return false; }

 private:
  std::span<const GivenRates> given_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_as_given(const Setting& setting) {
  return std::make_unique<AsGiven>(setting.instance.given);
}

}  // namespace holdfast::io
