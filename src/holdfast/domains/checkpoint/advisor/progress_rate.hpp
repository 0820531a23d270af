#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace holdfast::checkpoint {

/// The speed of a job, in any unit of progress per second: the median of the last 15 rates, each over an interval of
/// at least 1 s of work.
class ProgressRate {
 public:
  /// @param worked  seconds of work since the job began, on a clock that only runs while it works
  void add(double worked, double done);
  /// Records that progress was set back (a restart). The current interval is discarded.
  void interrupt() { is_open_ = false; }
  /// Returns units per second; nothing before the end of the first interval, or if most intervals had no progress.
  [[nodiscard]] std::optional<double> value() const;

 private:
  static constexpr std::size_t kKept = 15;
  static constexpr double kShortest = 1;

  bool is_open_ = false;
  double begin_ = 0;
  double done_ = 0;  ///< progress when the interval began
  std::array<double, kKept> rates_{};
  std::size_t count_ = 0;
};

}  // namespace holdfast::checkpoint
