#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace holdfast::capacity {

/// Free cores of one machine as a step function of time, from now to infinity: what running and planned jobs leave. It
/// only ever loses free cores, but when it is built anew. Times asked for as `now` must not decrease.
class Skyline {
 public:
  /// Starts again: `free` cores from `now` on.
  void reset(std::int64_t now, std::int64_t free);
  /// After reset: that many more from `time` on. Times must not decrease.
  void release(std::int64_t time, std::int64_t cores);

  /// Smallest start >= from such that `cores` are free on [start, start + length), or `limit` where that is not below it.
  /// @pre from >= now, cores <= cores of the machine
  [[nodiscard]] std::int64_t earliest(
      std::int64_t from, std::int64_t cores, std::int64_t length,
      std::int64_t limit = std::numeric_limits<std::int64_t>::max()) const;
  /// Are the cores free on [start, start + length)?
  [[nodiscard]] bool is_free(std::int64_t start, std::int64_t cores, std::int64_t length) const {
    return earliest(start, cores, length, start + 1) == start;
  }
  /// Cores that are free at `now`. Forgets what was before.
  [[nodiscard]] std::int64_t free_at(std::int64_t now);

  /// Takes cores on [start, end).
  void reserve(std::int64_t start, std::int64_t end, std::int64_t cores);

 private:
  struct Step {
    std::int64_t time;
    std::int64_t free;
  };
  [[nodiscard]] std::size_t index_at(std::int64_t time) const;

  std::vector<Step> steps_;
  std::size_t begin_ = 0;  // steps before it are over
};

}  // namespace holdfast::capacity
