#pragma once

#include "holdfast/domains/capacity/placement/at_least.hpp"
#include "holdfast/domains/capacity/placement/availability_profile.hpp"
#include "holdfast/domains/capacity/placement/start_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// The machines on which a job could start before some instant, found by one comparison. For each class of cores and machine it
/// stores the longest time for which the cores stay free from a start before that instant. When a backlog is placed, this
/// rejects nearly all pairs of job and machine without a search.
class Openings {
 public:
  Openings(const StartBounds& classes, std::span<const AvailabilityProfile> availabilities);

  /// Starts again, for starts on [from, until) on the first `used` machines. Machines within `distance` are near each other.
  void open(std::int64_t from, std::int64_t until, std::int64_t used, std::int64_t distance);
  /// Returns true if it covers starts on [from, until) on the first `used` machines. Later queries must not ask about starts
  /// before `from`.
  [[nodiscard]] bool covers(std::int64_t from, std::int64_t until, std::int64_t used) {
    from_ = from;
    return until == until_ && static_cast<std::size_t>(used) <= used_;
  }
  /// Records that cores of the machine were taken from `start` on.
  void touch(std::int64_t machine, std::int64_t start) {
    const auto m = static_cast<std::size_t>(machine);
    for (OfClass& of : by_class_) {
      if (start >= of.end[m] || of.is_stale[m] != 0) continue;
      of.is_stale[m] = 1;
      of.stale.push_back(m);
    }
  }
  /// Records that cores of the machine were given back.
  void forget(std::int64_t machine);
  /// Returns true if certainly no job of this class of cores (StartBounds::Place::read_cores) and length starts in time on a
  /// machine in use near this one.
  [[nodiscard]] bool excludes(std::size_t read_cores, std::int64_t machine, std::int64_t length) {
    OfClass& of = by_class_[read_cores];
    const auto asked = clip(length);
    if (of.longest_of_all < asked) return true;  // an outdated entry is too long, never too short
    if (!of.stale.empty()) refresh(read_cores);
    return of.longest_of_all < asked || !is_open_near(of, machine, asked);
  }

 private:
  static constexpr std::int32_t kLongest = std::numeric_limits<std::int32_t>::max();
  [[nodiscard]] static std::int32_t clip(std::int64_t length) {
    return static_cast<std::int32_t>(std::min<std::int64_t>(length, kLongest));
  }

  struct OfClass {
    std::vector<std::int32_t> longest;  // [machine] at most kLongest, with space for a whole block
    std::vector<std::int64_t> end;      // [machine] reservations after this time change nothing
    std::vector<std::size_t> stale;     // machines that may have fewer free cores now
    std::vector<char> is_stale;         // [machine]
    std::int32_t longest_of_all;        // maximum over the machines in use
  };

  /// Returns true if a job of the class with this length could start in time near the machine.
  [[nodiscard]] bool is_open_near(const OfClass& of, std::int64_t machine,
                                  std::int32_t length) const;
  void refresh(std::size_t of_class);

  const StartBounds& classes_;
  std::span<const AvailabilityProfile> availability_;
  std::int64_t from_ = 0;
  std::int64_t until_ = 0;
  std::size_t used_ = 0;
  std::size_t distance_ = 0;
  // Empty before the first open(), because nobody has asked yet.
  std::vector<OfClass> by_class_;
};

}  // namespace holdfast::capacity
