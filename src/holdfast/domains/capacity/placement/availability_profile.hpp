#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace holdfast::capacity {

/// Free cores of one machine as a step function of time, from now to infinity: what running and planned jobs leave. It only
/// loses free cores until it is reset. Times asked for as `now` must not decrease.
class AvailabilityProfile {
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
  /// The same for two jobs of as many cores at once; `shorter` is not longer than `length`.
  struct Starts {
    std::int64_t shorter;
    std::int64_t start;
  };
  [[nodiscard]] Starts earliest_two(std::int64_t from, std::int64_t cores, std::int64_t shorter,
                                    std::int64_t length, std::int64_t not_before) const;
  /// The smallest start >= from, without a limit, and what the search has shown of longer and shorter jobs.
  struct First {
    std::int64_t start;
    /// No job of as many cores that is at least as long starts on [from, start) either.
    std::int64_t needs;
  };
  [[nodiscard]] First first_from(std::int64_t from, std::int64_t cores, std::int64_t length) const;
  /// Finds the same, and takes the cores from that start on.
  First take_first(std::int64_t from, std::int64_t cores, std::int64_t length);
  /// Are the cores free on [start, start + length)?
  [[nodiscard]] bool is_free(std::int64_t start, std::int64_t cores, std::int64_t length) const {
    return earliest(start, cores, length, start + 1) == start;
  }
  /// The longest time for which `cores` are free from some start on [from, until), and the instant up to which reservations
  /// decide it; both are kNever if the cores stay free for ever.
  struct FreeTime {
    std::int64_t longest;
    std::int64_t end;
  };
  [[nodiscard]] FreeTime longest_from(std::int64_t from, std::int64_t until,
                                      std::int64_t cores) const;
  /// Cores that are free at `now`. Forgets what was before.
  [[nodiscard]] std::int64_t free_at(std::int64_t now);

  /// From then on all cores are free, unless it is past.
  [[nodiscard]] std::int64_t quiet_from() const { return times_[size_ - 1]; }

  /// From when on so many cores are free for good, and the core-seconds from then on for which others of the machine's are
  /// not yet.
  struct End {
    std::int64_t time;
    std::int64_t taken;
  };
  [[nodiscard]] End end_of(std::int64_t cores, std::int64_t now) const;

  /// Takes cores on [start, end).
  void reserve(std::int64_t start, std::int64_t end, std::int64_t cores);

 private:
  void reserve_from(std::size_t first, std::int64_t start, std::int64_t end, std::int64_t cores);
  [[nodiscard]] std::size_t index_at(std::int64_t time) const;
  [[nodiscard]] std::size_t index_between(std::size_t first, std::int64_t time) const;
  void grow();

  // Steps: from times_[i] on, free_[i] cores. Behind size_ there is room for whole blocks to be read.
  std::vector<std::int64_t> times_;
  std::vector<std::int32_t> free_;
  std::size_t size_ = 0;
  std::size_t begin_ = 0;  // steps before it are over
  mutable std::size_t last_found_ =
      0;  // where the last search ended: a job is put there, most likely
};

}  // namespace holdfast::capacity
