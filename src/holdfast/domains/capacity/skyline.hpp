#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace holdfast::capacity {

/// Free cores of one machine as a step function of time, from now to infinity: what running and planned jobs leave. It
/// only ever loses free cores, but when it is built anew.
class Skyline {
 public:
  Skyline() = default;
  explicit Skyline(std::int64_t cores)
      : first_free_(static_cast<std::size_t>(cores) + 1, std::numeric_limits<std::int64_t>::min()) {
  }

  /// Starts again: `free` cores from `now` on.
  void reset(std::int64_t now, std::int64_t free);
  /// After reset: that many more from `time` on. Times must not decrease.
  void release(std::int64_t time, std::int64_t cores);

  /// Smallest start >= now such that `cores` are free on [start, start + length), or `limit` where that is not below it.
  /// @pre cores <= cores of the machine
  [[nodiscard]] std::int64_t earliest(
      std::int64_t now, std::int64_t cores, std::int64_t length,
      std::int64_t limit = std::numeric_limits<std::int64_t>::max());
  /// Are the cores free on [now, now + length)?
  [[nodiscard]] bool is_free(std::int64_t now, std::int64_t cores, std::int64_t length);

  /// Takes cores on [start, end).
  void reserve(std::int64_t start, std::int64_t end, std::int64_t cores);

 private:
  struct Step {
    std::int64_t time;
    std::int64_t free;
  };
  [[nodiscard]] std::size_t index_at(std::int64_t time);
  std::size_t split(std::int64_t time);

  std::vector<Step> steps_;
  std::size_t begin_ = 0;  // steps before it are over
  // Per number of cores: no earlier time has that many free. Valid as long as cores are only taken.
  std::vector<std::int64_t> first_free_;
};

}  // namespace holdfast::capacity
