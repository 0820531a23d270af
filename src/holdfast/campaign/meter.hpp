#pragma once

#include "holdfast/campaign/control.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <utility>

namespace holdfast {

/// Counts the cells of a run and tells the caller, at most ten times a second.
class Meter {
 public:
  /// @param found  of the total, those that need not run. The control has to outlive the meter
  Meter(const Control& control, std::uint64_t total, std::uint64_t found);

  void add(std::uint64_t cells);
  /// Tells a last time.
  const Progress& finish();

 private:
  using Clock = std::chrono::steady_clock;
  void update();
  void tell();

  const Control& control_;
  Progress progress_;
  Clock::time_point start_ = Clock::now();
  double told_ = 0;
  std::deque<std::pair<double, std::uint64_t>> history_;  // (seconds, cells done)
};

}  // namespace holdfast
