#pragma once

#include "holdfast/domains/capacity/room.hpp"
#include "holdfast/domains/capacity/tail.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// Tasks whose plans were put off, in the order in which they are to be made. What a search finds without them on the
/// lane's machines is never too late, and right where it ends by wake().
class Lane {
 public:
  struct Entry {
    std::size_t task;
    std::int64_t used;  ///< machines in use when its turn came
    std::int64_t cores;
    std::int64_t length;  ///< of its next run
  };

  [[nodiscard]] bool empty() const { return first_ == entries_.size(); }
  [[nodiscard]] std::span<const Entry> entries() const {
    return std::span(entries_).subspan(first_);
  }
  /// No task starts before; set by the owner, kNever where there is none.
  [[nodiscard]] std::int64_t wake() const { return wake_; }
  void set_wake(std::int64_t time) { wake_ = time; }
  /// Of all runs together.
  [[nodiscard]] std::int64_t length() const { return length_; }

  void push(const Entry& entry) {
    entries_.push_back(entry);
    length_ += entry.length;
    least_used_ = std::min(least_used_, entry.used);
  }
  Entry pop() {
    const Entry entry = entries_[first_++];
    length_ -= entry.length;
    if (empty()) {
      const bool gave_up = gave_up_;
      clear();
      gave_up_ = gave_up;
    }
    return entry;
  }
  void clear() {
    entries_.clear();
    first_ = 0;
    length_ = 0;
    wake_ = kNever;
    least_used_ = kNever;
    gave_up_ = false;
    forget_tail();
  }

  /// No more machines were in use at any of its tasks.
  [[nodiscard]] std::int64_t least_used() const { return least_used_; }

  /// The tail of machines below `until`, with the tasks of the lane. Where has_tail() is false, the owner fills a new one.
  [[nodiscard]] bool has_tail(std::int64_t until) const { return tail_until_ <= until; }
  [[nodiscard]] Tail& new_tail(std::int64_t until) {
    tail_.clear();
    tail_until_ = until;
    in_tail_ = first_;
    return tail_;
  }
  /// It did not help. Until clear() it is not asked for again: finding it costs as much as a few plans.
  void give_up_tail() { gave_up_ = true; }
  [[nodiscard]] bool has_no_tail() const { return gave_up_; }
  /// Something else was put on the lane's machines.
  void forget_tail() { tail_until_ = kNever; }
  /// From when a task has its cores at the latest, if it comes after all that are here. Tasks take `width` cores, or
  /// their own where that is 0.
  [[nodiscard]] std::int64_t latest_start(std::int64_t cores, std::int64_t width) {
    for (; in_tail_ < entries_.size(); ++in_tail_) {
      const Entry& entry = entries_[in_tail_];
      tail_.take(width > 0 ? width : entry.cores, entry.length);
    }
    return tail_.free_from(width > 0 ? width : cores);
  }

 private:
  std::vector<Entry> entries_;
  std::size_t first_ = 0;  // those before it were taken
  std::int64_t length_ = 0;
  std::int64_t wake_ = kNever;
  std::int64_t least_used_ = kNever;
  Tail tail_;
  std::int64_t tail_until_ = kNever;
  bool gave_up_ = false;
  std::size_t in_tail_ = 0;  // entries before it are in the tail
};

}  // namespace holdfast::capacity
