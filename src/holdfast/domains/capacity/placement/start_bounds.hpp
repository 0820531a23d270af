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

/// What earlier searches have proved about later ones. While cores of a machine are only taken, a job that is at least as wide
/// and as long as one that could not start before t cannot start before t either. The times are stored by class of cores, class
/// of length and machine, and only rise until the machine is cleared. Classes are steps among the cores and lengths of the
/// tasks: a job reads the class at or below it, and what it proves holds for the class at or above it and all higher ones.
/// Times have 32 bits, so that those of many machines can be compared at once; a time more than 68 years ahead is stored as an
/// earlier one.
class StartBounds {
 public:
  static constexpr std::size_t kMostCores = 12;   ///< classes of cores
  static constexpr std::size_t kMostLengths = 8;  ///< classes of lengths

  /// @param origin        no search asks about an earlier time
  /// @param most_lengths  classes of lengths; 1 if only classes of cores are needed
  StartBounds(std::span<const Task> tasks, std::size_t machines, std::int64_t origin,
              std::size_t most_lengths = kMostLengths);

  /// The place of jobs among the classes.
  struct Place {
    std::uint16_t read_cores = 0;
    std::uint16_t read_length = 0;
    /// One past the last class if the job proves nothing about others.
    std::uint16_t write_cores = 0;
    std::uint16_t write_length = 0;
    [[nodiscard]] bool has_own_cores() const { return read_cores == write_cores; }
    /// Returns the place of the shortest job in the class.
    [[nodiscard]] Place shortest() const {
      return {read_cores, read_length, read_cores, read_length};
    }
  };
  [[nodiscard]] Place place_of(std::int64_t cores, std::int64_t length) const;

  /// Returns the smallest number of cores among the jobs with this `read_cores`.
  [[nodiscard]] std::int64_t least_cores(std::size_t read_cores) const {
    return cores_[read_cores];
  }

  [[nodiscard]] std::size_t core_classes() const { return cores_.size(); }
  [[nodiscard]] std::int64_t least_length(std::size_t read_length) const {
    return lengths_[read_length];
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
  /// Records that a job of that place cannot start on the machine before `time`.
  void raise(std::size_t machine, const Place& place, std::int64_t time) {
    const std::int32_t least = std::min(from_origin(time), kLatest - 1);
    const std::size_t lengths = lengths_.size() - place.write_length;
    std::size_t of_cores = index(place.write_cores, place.write_length) + machine;
    for (std::size_t c = place.write_cores; c < cores_.size() && lengths > 0; ++c) {
      // The bounds of wider or longer jobs are at least as late.
      if (bounds_[of_cores] >= least) return;
      std::size_t at = of_cores;
      for (std::size_t l = 0; l < lengths && bounds_[at] < least; ++l, at += machines_) {
        bounds_[at] = least;
      }
      of_cores += lengths_.size() * machines_;
    }
  }
  /// Deletes the bounds of a machine because cores were given back.
  void clear(std::size_t machine);
  void clear_all() { std::fill(bounds_.begin(), bounds_.end(), kAnyTime); }

 private:
  [[nodiscard]] std::size_t index(std::size_t of_cores, std::size_t of_length) const {
    return (of_cores * lengths_.size() + of_length) * machines_;
  }
  static constexpr std::int32_t kAnyTime = std::numeric_limits<std::int32_t>::min();
  static constexpr std::int32_t kLatest = std::numeric_limits<std::int32_t>::max();  // no bound

  [[nodiscard]] std::int32_t from_origin(std::int64_t time) const {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(time - origin_, kAnyTime, kLatest));
  }

  std::vector<std::int64_t> cores_;    // smallest of each class, ascending
  std::vector<std::int64_t> lengths_;  // the same
  std::size_t machines_;
  std::int64_t origin_;
  // By class of cores, class of length and machine, minus the origin, with space for reading whole blocks.
  std::vector<std::int32_t> bounds_;
};

}  // namespace holdfast::capacity
