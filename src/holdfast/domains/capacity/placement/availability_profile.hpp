#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::capacity {

/// The free cores of one machine as a step function of time, from now to infinity: the cores that running and planned jobs
/// leave. Between resets cores are only taken. The times passed as `now` must not decrease.
class AvailabilityProfile {
 public:
  /// Resets the profile: `free` cores from `now` on.
  void reset(std::int64_t now, std::int64_t free);
  /// Adds cores from `time` on, directly after reset(). Times must not decrease.
  void release(std::int64_t time, std::int64_t cores);

  /// The result of a search from some time on.
  struct Found {
    std::int64_t start;
    /// A job with as many cores that is at least this long (seconds) does not start on [from, start) either.
    std::int64_t needs;
  };
  /// Returns the smallest start >= from such that `cores` are free on [start, start + length).
  /// @pre from >= now, cores <= cores of the machine
  [[nodiscard]] Found earliest(std::int64_t from, std::int64_t cores, std::int64_t length) const;
  /// Returns true if the cores are free on [start, start + length).
  [[nodiscard]] bool is_free(std::int64_t start, std::int64_t cores, std::int64_t length) const;
  /// Returns the cores that are free at `now`, and forgets earlier steps.
  [[nodiscard]] std::int64_t free_at(std::int64_t now);

  /// The time from which a number of cores stays free, and the core-seconds after it for which other cores of the machine are
  /// not yet free for good.
  struct End {
    std::int64_t time;
    std::int64_t taken;
  };
  /// Returns the end for that number of cores. Its time is not before `now`.
  [[nodiscard]] End end_of(std::int64_t cores, std::int64_t now) const;

  /// Takes cores on [start, end).
  void reserve(std::int64_t start, std::int64_t end, std::int64_t cores);

 private:
  [[nodiscard]] std::size_t index_at(std::int64_t time) const;
  void grow();

  // The steps: free_[i] cores from times_[i] on. There is space after size_ so that whole blocks can be read.
  std::vector<std::int64_t> times_;
  std::vector<std::int32_t> free_;
  std::size_t size_ = 0;
  std::size_t begin_ = 0;  // earlier steps are over
  // The step that the last search found: the job will most likely be placed there.
  mutable std::size_t last_found_ = 0;
};

}  // namespace holdfast::capacity
