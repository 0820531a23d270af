#pragma once

#include "holdfast/domains/capacity/workload.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// What earlier searches have proved about later ones: while cores of a machine are only taken, a job that is at least as
/// wide and as long as one that could not start before t cannot either. Times by class of cores, class of length and
/// machine; they only rise until the machine is cleared. Classes are steps among the tasks' own cores and lengths: a
/// job reads the class at or below it, what it proves holds from the class at or above it on.
class StartBounds {
 public:
  StartBounds(std::span<const Task> tasks, std::size_t machines);

  /// Where jobs stand among the classes.
  struct Place {
    std::uint16_t read_cores = 0;
    std::uint16_t read_length = 0;
    std::uint16_t write_cores = 0;  ///< one past the last class: proves nothing about others
    std::uint16_t write_length = 0;
  };
  [[nodiscard]] Place place_of(std::int64_t cores, std::int64_t length) const;
  [[nodiscard]] const Place& place_of(std::size_t task) const { return places_[task]; }

  /// By machine: no start before that time, for a job of that place.
  [[nodiscard]] const std::int64_t* row(const Place& place) const {
    return bounds_.data() + offset(place.read_cores, place.read_length);
  }
  /// A job of that place cannot start on the machine before `time`.
  void raise(std::size_t machine, const Place& place, std::int64_t time) {
    for (std::size_t c = place.write_cores; c < cores_.size(); ++c) {
      std::int64_t* bound = bounds_.data() + offset(c, place.write_length) + machine;
      std::size_t l = place.write_length;
      if (l < lengths_.size() && *bound >= time) return;  // wider ones are known as well
      for (; l < lengths_.size() && *bound < time; ++l, bound += machines_) *bound = time;
    }
  }
  /// Cores were given back: nothing is known of the machine.
  void clear(std::size_t machine);
  void clear_all() {
    std::fill(bounds_.begin(), bounds_.end(), std::numeric_limits<std::int64_t>::min());
  }

 private:
  [[nodiscard]] std::size_t offset(std::size_t cores, std::size_t length) const {
    return (cores * lengths_.size() + length) * machines_;
  }

  std::size_t machines_;
  std::vector<std::int64_t> cores_;    // smallest of each class, ascending
  std::vector<std::int64_t> lengths_;  // the same
  std::vector<Place> places_;          // of tasks, with their full length
  std::vector<std::int64_t> bounds_;
};

}  // namespace holdfast::capacity
