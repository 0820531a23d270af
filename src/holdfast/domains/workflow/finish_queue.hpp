#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace holdfast::workflow {

/// Times at which tasks end, taken out earliest first; what is put in is never earlier than what was
/// taken out last. A calendar: equal stretches of time, each a list of its times, sorted when it
/// comes up. Putting in costs one look, taking out the sorting of about four times; a heap of 16 384
/// times costs seven levels for each.
class FinishQueue {
 public:
  /// @param times  where the values of the nodes lie; push(i) puts times[i] in
  /// @param most   of nodes
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
  /// Starts from there instead of from 0. @pre nothing was put in
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

  /// The earliest, which is taken out. @pre something is in
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
    // Compared as doubles: a time far behind the horizon fits no integer.
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
  std::vector<std::uint32_t> heads_;  ///< heads of the list of each stretch
  std::vector<std::uint32_t> next_;   ///< [most]
  std::vector<double> current_;       ///< current of the stretch that has come up, latest first
  std::vector<double> late_;          ///< put in when it had come up: a heap
  std::size_t at_ = 0;
  bool is_begun_ = false;  ///< the stretch at_ has come up
};

}  // namespace holdfast::workflow
