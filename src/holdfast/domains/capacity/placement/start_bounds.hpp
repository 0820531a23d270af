#pragma once

#include "holdfast/domains/capacity/placement/at_least.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// Lower bounds on starts, which earlier searches have proved for later ones. While cores of a machine are only taken, a job
/// that is at least as wide and as long as one that could not start before t cannot start before t either. The times are stored
/// by class of cores, class of length and machine. They only rise until the machine is reset, and longer classes never have
/// earlier times. A class begins at some number of cores (or length) of the tasks: a job reads the class that begins at or
/// below its own, and what it proves holds for the classes that begin at or above it. Times have 32 bits, so that those of many
/// machines can be compared at once; a time more than 68 years ahead is stored as an earlier one.
class StartBounds {
 public:
  static constexpr std::size_t kMostCores = 12;    ///< classes of cores
  static constexpr std::size_t kMostLengths = 32;  ///< classes of lengths

  /// @param origin        no search asks about an earlier time
  /// @param most_lengths  classes of lengths; 1 if only classes of cores are needed
  StartBounds(std::span<const Task> tasks, std::size_t machines, std::int64_t origin,
              std::size_t most_lengths = kMostLengths);

  /// The place of jobs among the classes.
  struct Place {
    std::uint16_t read_cores = 0;
    std::uint16_t read_length = 0;
    std::uint16_t write_cores = 0;  ///< one past the last class if it proves nothing about others
    /// Returns true if the class begins at the job's own number of cores.
    [[nodiscard]] bool has_own_cores() const { return read_cores == write_cores; }
  };
  [[nodiscard]] Place place_of(std::int64_t cores, std::int64_t length) const;

  [[nodiscard]] std::size_t core_classes() const { return cores_.size(); }
  /// Returns the smallest number of cores of the class.
  [[nodiscard]] std::int64_t least_cores(std::size_t core_class) const {
    return cores_[core_class];
  }

  /// The bounds by machine for jobs of one place, read by the functions below.
  using Row = const std::int32_t*;
  [[nodiscard]] Row row(const Place& place) const {
    return bounds_.data() + index(place.read_cores, place.read_length);
  }
  /// Returns a time before which no job of the row starts on that machine.
  [[nodiscard]] std::int64_t bound(Row row, std::int64_t machine) const {
    return origin_ + row[machine];
  }
  /// The number of machines that before() compares.
  static constexpr auto kAtOnce = static_cast<std::int64_t>(kBlock);
  /// Returns a mask whose bit k says whether the bound of machine low + k is before that time, for at most kAtOnce machines
  /// below `until`.
  [[nodiscard]] std::uint32_t before(Row row, std::int64_t low, std::int64_t until,
                                     std::int64_t time) const {
    const std::uint32_t bits = ~mask_at_least(row + low, from_origin(time));
    const std::int64_t left = until - low;
    return left < kAtOnce ? bits & ((1U << left) - 1) : bits;
  }
  /// Returns the machine with the smallest bound on [low, until), the first one if several are equal.
  [[nodiscard]] static std::int64_t least(Row row, std::int64_t low, std::int64_t until) {
    const std::int32_t smallest = *std::min_element(row + low, row + until);
    return std::find(row + low, row + until, smallest) - row;
  }
  /// Returns the shortest length for which it is known that no job of the class of cores that is at least as long starts on the
  /// machine before the time.
  [[nodiscard]] std::int64_t late_length(std::size_t core_class, std::int64_t machine,
                                         std::int64_t time) const;

  /// What a search of a machine has shown: no job as wide as that of the place, and of `length` or more, starts on [from,
  /// start).
  struct Proof {
    std::int64_t from;
    std::int64_t start;
    std::int64_t length;  ///< at most the length of the job
  };
  /// Raises the bounds of a machine by what a search for a job of that place has shown.
  void raise(std::size_t machine, const Place& place, const Proof& proof);
  /// Resets the bounds of a machine to which cores were given back: no job of the class of cores starts there before the time.
  void reset(std::size_t machine, std::size_t core_class, std::int64_t time) {
    const std::int32_t least = stored(time);
    std::size_t at = index(core_class, 0) + machine;
    for (std::size_t l = 0; l < lengths_.size(); ++l, at += machines_) bounds_[at] = least;
  }

 private:
  [[nodiscard]] std::size_t index(std::size_t core_class, std::size_t length_class) const {
    return (core_class * lengths_.size() + length_class) * machines_;
  }
  static constexpr std::int32_t kLatest = std::numeric_limits<std::int32_t>::max();  // no bound
  [[nodiscard]] std::int32_t from_origin(std::int64_t time) const {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(time - origin_, -1, kLatest));
  }
  [[nodiscard]] std::int32_t stored(std::int64_t time) const {
    return std::min(from_origin(time), kLatest - 1);
  }

  std::vector<std::int64_t> cores_;    // smallest number of each class, ascending
  std::vector<std::int64_t> lengths_;  // smallest length of each class, ascending
  std::size_t machines_;
  std::int64_t origin_;
  // By class of cores, class of length and machine, minus the origin, with space for reading whole blocks.
  std::vector<std::int32_t> bounds_;
};

}  // namespace holdfast::capacity
