#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace holdfast::checkpoint {

/// A rule that chooses the next segment by the time since the last failure of the job's processors alone.
class SinceFailure : public Strategy {
 public:
  explicit SinceFailure(const Instance& instance) {
    double youngest = Instance::kNever;
    for (const AgeGroup& group : initial_groups(instance)) youngest = std::min(youngest, group.age);
    struck_ = -youngest;
  }

  std::span<const double> decide(const State& state) final {
    const double wanted = period(std::max(0.0, state.now - struck_));
    const double segments = std::max(1.0, std::ceil(state.work_left / wanted));
    cut_ = std::isfinite(segments) ? state.work_left / segments : wanted;
    return {&cut_, 1};
  }
  bool learns() const final { return true; }
  void see(const Event& event) final {
    using enum Event::Kind;
    if (event.kind == struck || event.kind == renewed) struck_ = event.now;
  }

 private:
  /// Returns the work until the next checkpoint, seconds. @param since  seconds since the last failure
  [[nodiscard]] virtual double period(double since) const = 0;

  double struck_ = 0;  ///< seconds from the job's start
  double cut_ = 0;
};

}  // namespace holdfast::checkpoint
