#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace holdfast::checkpoint {

/// How fast a job gets on, in any unit that it counts in (spec advisor, 3.2): the median of the last 15 rates of intervals of
/// at least 1 s of work.
class ProgressRate {
 public:
  /// @param worked  seconds of work since the job began, on a clock that only runs while it works
  void add(double worked, double done);
  /// What is done has been set back (a restart): the interval that was open says nothing.
  void interrupt() { is_open_ = false; }
  /// Units per second; nothing before the first interval, or where nothing was done in most of them.
  [[nodiscard]] std::optional<double> value() const;

 private:
  static constexpr std::size_t kKept = 15;
  static constexpr double kShortest = 1;

  bool is_open_ = false;
  double begin_ = 0;
  double done_ = 0;  ///< when the interval began
  std::array<double, kKept> rates_{};
  std::size_t count_ = 0;
};

}  // namespace holdfast::checkpoint
