#include "holdfast/domains/checkpoint/strategies/equal_segments.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace holdfast::checkpoint {
namespace {

class Endless final : public Strategy {
 public:
  explicit Endless(double period) : period_{period} {}
  std::span<const double> decide(const State&) override { return {&period_, 1}; }

 private:
  double period_;
};

}  // namespace

EqualSegments::EqualSegments(const Instance& instance, std::int64_t count) : count_{count} {
  if (!instance.ends.initial_recovery) first_extra_ = instance.recovery;
  if (!instance.ends.final_checkpoint) last_extra_ = instance.checkpoint;
  const auto is_possible_with = [&](std::int64_t segments) {
    return is_possible(instance.work, instance.costs(), segments, instance.ends);
  };
  // The work of a middle segment does not grow with N: if it has none with the wanted count, only 2 or 1 may be possible.
  if (!is_possible_with(count_)) count_ = is_possible_with(2) ? 2 : 1;
}

std::span<const double> EqualSegments::decide(const State& state) {
  // Divide what is left evenly. Subtracting a constant would leave a remainder below 1e-9 s, which then gets a
  // checkpoint of its own: for 172800 s, in 77 of the 198 segment counts from 2 to 199.
  const auto segments = static_cast<double>(std::max<std::int64_t>(count_ - state.checkpoints, 1));
  if (segments == 1) {
    cut_ = state.work_left;
  } else {
    const double first = state.checkpoints == 0 ? first_extra_ : 0;
    cut_ = (state.work_left - last_extra_ - first) / segments + first;
  }
  return {&cut_, 1};
}

std::unique_ptr<Strategy> segments_of_period(const Instance& instance, double period) {
  if (std::isinf(instance.work)) return std::make_unique<Endless>(period);
  return std::make_unique<EqualSegments>(instance, segments_for_period(instance.work, period));
}

}  // namespace holdfast::checkpoint
