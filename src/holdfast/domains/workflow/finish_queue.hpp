#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace holdfast::workflow {

/// A queue of the times at which tasks end, earliest first. A new time is never earlier than the one taken out last. It is a
/// calendar queue: intervals of equal length, each with a list of its times, which is sorted when its turn comes. Adding a time
/// costs one access, and removing one its part of the sorting of about four times; a heap of 16 384 times would cost seven
/// levels for each.
class FinishQueue {
 public:
  /// @param times  values of the nodes; push(i) adds times[i]
  /// @param most   largest number of nodes
  void reset(const double* times, std::size_t most, double horizon) {
    times_ = times;
    const std::size_t stretches = std::max<std::size_t>(most / kPerStretch, 16);
    scale_ = horizon > 0 ? static_cast<double>(stretches - 1) / horizon : 0;
    heads_.assign(stretches, kNone);
    next_.resize(most);
    current_.clear();
    late_.clear();
    at_ = 0;
    is_begun_ = false;
  }
  /// Starts at that time instead of 0. @pre the queue is empty
  void begin_at(double time) { at_ = stretch_of(time); }

  void push(std::uint32_t node) {
    const std::size_t stretch = stretch_of(times_[node]);
    if (stretch > at_ || !is_begun_) {
      next_[node] = heads_[stretch];
      heads_[stretch] = node;
      return;
    }
    late_.push_back(times_[node]);
    std::push_heap(late_.begin(), late_.end(), std::greater<>{});
  }

  /// Removes the earliest time and returns it. @pre the queue is not empty
  double pop() {
    if (current_.empty() && late_.empty()) advance();
    if (late_.empty() || (!current_.empty() && current_.back() <= late_.front())) {
      const double earliest = current_.back();
      current_.pop_back();
      return earliest;
    }
    std::pop_heap(late_.begin(), late_.end(), std::greater<>{});
    const double earliest = late_.back();
    late_.pop_back();
    return earliest;
  }

 private:
  static constexpr std::size_t kPerStretch = 4;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] std::size_t stretch_of(double time) const {
    // Times are compared as doubles, because a time far beyond the horizon does not fit an integer.
    const double stretch = time * scale_;
    const auto last = static_cast<double>(heads_.size() - 1);
    return static_cast<std::size_t>(stretch < last ? stretch : last);
  }

  void advance() {
    if (is_begun_) ++at_;
    is_begun_ = true;
    while (heads_[at_] == kNone) ++at_;
    for (std::uint32_t node = heads_[at_]; node != kNone; node = next_[node]) {
      current_.push_back(times_[node]);
    }
    heads_[at_] = kNone;
    sort_current();
  }

  void sort_current() {
    constexpr std::size_t kSmall = 12;
    if (current_.size() > kSmall) {
      if (!std::is_sorted(current_.begin(), current_.end(), std::greater<>{})) {
        std::sort(current_.begin(), current_.end(), std::greater<>{});
      }
      return;
    }
    for (std::size_t i = 1; i < current_.size(); ++i) {
      const double moved = current_[i];
      std::size_t to = i;
      for (; to > 0 && current_[to - 1] < moved; --to) current_[to] = current_[to - 1];
      current_[to] = moved;
    }
  }

  const double* times_ = nullptr;
  double scale_ = 0;
  std::vector<std::uint32_t> heads_;  ///< head of the list of each interval
  std::vector<std::uint32_t> next_;   ///< [most]
  std::vector<double> current_;       ///< times of the current interval, latest first
  /// Times added to the current interval after it was sorted: a heap.
  std::vector<double> late_;
  std::size_t at_ = 0;
  bool is_begun_ = false;  ///< true: the interval at_ has been sorted
};

}  // namespace holdfast::workflow
