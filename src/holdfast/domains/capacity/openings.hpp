#pragma once

#include "holdfast/domains/capacity/skyline.hpp"
#include "holdfast/domains/capacity/start_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// Which machines a job could start on before some instant, told by one comparison: by class of cores and machine, the
/// longest time for which the cores stay free from a start before it. When a backlog is placed, that rejects nearly all
/// pairs of job and machine without a look at the machine.
class Openings {
 public:
  Openings(const StartBounds& classes, std::span<const Skyline> skylines);

  /// Asks about starts on [from, until) on the first `used` machines from now on; what was known is forgotten. Machines
  /// are near each other up to that distance.
  void open(std::int64_t from, std::int64_t until, std::int64_t used, std::int64_t distance);
  /// Does it tell of starts on [from, until) on the first `used` machines? No later question is about a start before
  /// `from`.
  [[nodiscard]] bool covers(std::int64_t from, std::int64_t until, std::int64_t used) {
    from_ = from;
    return until == until_ && static_cast<std::size_t>(used) <= used_;
  }
  /// Cores of the machine were taken from `start` on, or given back.
  void touch(std::int64_t machine, std::int64_t start) {
    if (start >= end_[static_cast<std::size_t>(machine)]) return;
    char& is_stale = is_stale_[static_cast<std::size_t>(machine)];
    if (is_stale == 0) stale_.push_back(static_cast<std::size_t>(machine));
    is_stale = 1;
  }
  /// Surely no job of a class of cores (StartBounds::Place::read_cores) and that length starts in time on a machine in
  /// use near that one.
  [[nodiscard]] bool excludes(std::size_t read_cores, std::int64_t machine, std::int64_t length) {
    if (!stale_.empty()) refresh();
    return longest_of_all_[read_cores] < length || longest_near(read_cores, machine) < length;
  }

 private:
  /// No longer job of the class starts in time near the machine.
  [[nodiscard]] std::int64_t longest_near(std::size_t read_cores, std::int64_t machine) const;
  void refresh();

  const StartBounds& classes_;
  std::span<const Skyline> skylines_;
  std::int64_t from_ = 0;
  std::int64_t until_ = 0;
  std::vector<std::int64_t> longest_;         // by class and machine
  std::vector<std::int64_t> longest_of_all_;  // by class: of the machines in use
  std::size_t used_ = 0;
  std::size_t distance_ = 0;
  std::vector<std::int64_t> end_;  // by machine: what is reserved from then on changes nothing
  std::vector<std::size_t> stale_;
  std::vector<char> is_stale_;
};

}  // namespace holdfast::capacity
