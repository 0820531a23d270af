#include "holdfast/domains/checkpoint/strategies.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace holdfast::checkpoint {
namespace {

class AsGiven final : public Strategy {
 public:
  explicit AsGiven(std::vector<double> segments) : segments_{std::move(segments)} {}

  std::span<const double> decide(const State& state) override {
    const auto next = static_cast<std::size_t>(state.checkpoints);
    // The last segment is what is left: decimal fractions do not add up exactly.
    const bool is_last = next + 1 >= segments_.size();
    cut_ = is_last ? state.work_left : std::min(segments_[next], state.work_left);
    return {&cut_, 1};
  }

 private:
  std::vector<double> segments_;
  double cut_ = 0;
};

}  // namespace

Made make_as_given(const Instance& instance, const StrategySpec&) {
  if (instance.segments.empty()) {
    return fail(ErrorCode::bad_value, "/segments",
                "is missing; strategy 'as-given' takes its segments from there");
  }
  return std::make_unique<AsGiven>(instance.segments);
}

}  // namespace holdfast::checkpoint
