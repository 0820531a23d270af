#pragma once

#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace holdfast::capacity {

/// Lower bounds on starts, which earlier searches of one machine have proved for later ones, for jobs with the same number of
/// cores. While cores are only taken, a job that is at least as long as one that could not start before t cannot start before t
/// either. The bounds are a few steps: each has a larger length and a later start than the one before.
class Stairs {
 public:
  Stairs() { clear(); }
  /// Forgets everything.
  void clear() {
    lengths_.fill(kNone);
    starts_.fill(kNever);
    lengths_[0] = 0;
    starts_[0] = std::numeric_limits<std::int64_t>::min();
  }

  /// Returns the step for a job of that length; valid until the next change.
  [[nodiscard]] std::size_t step_of(std::int64_t length) const {
    const auto most = static_cast<std::int32_t>(std::min<std::int64_t>(length, kNone - 1));
    std::size_t count = 0;
    for (const std::int32_t least : lengths_) count += least <= most ? 1 : 0;  // without a branch
    return count - 1;
  }
  /// Returns a time before which no job on the step or on a higher one starts.
  [[nodiscard]] std::int64_t start(std::size_t step) const { return starts_[step]; }
  /// Returns the smallest length of the jobs on the step, in seconds.
  [[nodiscard]] std::int64_t length(std::size_t step) const { return lengths_[step]; }

  /// Returns the shortest length for which it is known that no job starts before that time.
  [[nodiscard]] std::int64_t late_length(std::int64_t time) const {
    std::size_t step = 0;
    while (starts_[step] < time) ++step;
    return step < kMostSteps && lengths_[step] != kNone ? lengths_[step] : kNever;
  }

  /// Records that no job of this length (which is on that step) or longer starts before that time.
  void add(std::size_t step, std::int64_t length, std::int64_t start) {
    if (starts_[step] >= start) return;
    if (length > lengths_[step]) {
      if (length < kNone) insert(step + 1, static_cast<std::int32_t>(length), start);
    } else if (starts_[step + 1] > start) {
      starts_[step] = start;
    } else {
      insert(step, lengths_[step], start);
    }
  }

 private:
  static constexpr std::size_t kMostSteps = 8;
  static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();

  // Inserts a step, and removes the following steps that are not later. If there is no space for one more step, nothing
  // changes.
  void insert(std::size_t at, std::int32_t length, std::int64_t start) {
    std::int32_t* const lengths = lengths_.data();
    std::int64_t* const starts = starts_.data();
    std::size_t after = at;
    while (starts_[after] <= start) ++after;
    if (after == at) {
      if (lengths_.back() != kNone) return;
      std::copy_backward(lengths + at, lengths + kMostSteps - 1, lengths + kMostSteps);
      std::copy_backward(starts + at, starts + kMostSteps - 1, starts + kMostSteps);
    } else if (after > at + 1) {
      std::fill(std::copy(lengths + after, lengths + kMostSteps, lengths + at + 1),
                lengths + kMostSteps, kNone);
      std::fill(std::copy(starts + after, starts + kMostSteps + 1, starts + at + 1),
                starts + kMostSteps + 1, kNever);
    }
    lengths_[at] = length;
    starts_[at] = start;
  }

  std::array<std::int32_t, kMostSteps> lengths_;     // ascending from 0; kNone if there is no step
  std::array<std::int64_t, kMostSteps + 1> starts_;  // ascending; kNever where there is no step
};

/// The stairs of all machines, by class of cores (StartBounds::Place). What is known of narrower classes holds for a job too,
/// but reading it costs more than it saves.
class Staircases {
 public:
  Staircases(std::size_t machines, std::size_t core_classes)
      : classes_{core_classes}, stairs_(machines * core_classes) {}

  void clear(std::size_t machine) {
    for (std::size_t c = 0; c < classes_; ++c) of(machine, c).clear();
  }
  /// Returns the stairs of a machine for the jobs of a class of cores.
  /// @pre core_class < the number of classes
  [[nodiscard]] Stairs& of(std::size_t machine, std::size_t core_class) {
    return stairs_[machine * classes_ + core_class];
  }
  [[nodiscard]] const Stairs& of(std::size_t machine, std::size_t core_class) const {
    return stairs_[machine * classes_ + core_class];
  }

 private:
  std::size_t classes_;
  std::vector<Stairs> stairs_;  // by machine and class
};

}  // namespace holdfast::capacity
