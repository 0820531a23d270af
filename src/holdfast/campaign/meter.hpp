#pragma once

#include "holdfast/campaign/control.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <utility>

namespace holdfast {

/// A meter that counts the finished cells of a run and reports the progress to the caller at most ten times a second.
class Meter {
 public:
  /// @param control  must outlive the meter
  /// @param found    number of cells of the total that earlier runs have finished
  Meter(const Control& control, std::uint64_t total, std::uint64_t found);

  void add(std::uint64_t cells);
  /// Reports the progress one last time.
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
