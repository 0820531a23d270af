#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::io {

/// A heap of the next events of many applications. It is a 4-ary heap of (date, application) in 16 bytes each, so that the four
/// children of a node share a cache line. The kernel's EventQueue also numbers its events and takes twice the space; here the
/// caller sorts events that have the same date.
class DateHeap {
 public:
  struct Entry {
    double date = 0;
    std::uint32_t application = 0;
  };

  void reserve(std::size_t count) { heap_.reserve(count); }
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  /// Returns the entry with the smallest date. @pre !empty()
  [[nodiscard]] const Entry& top() const { return heap_.front(); }
  /// Returns the entries that contain the smallest and the second smallest date.
  [[nodiscard]] std::span<const Entry> soon() const {
    return {heap_.data(), heap_.size() < kArity + 1 ? heap_.size() : kArity + 1};
  }

  void push(double date, std::uint32_t application) {
    std::size_t hole = heap_.size();
    heap_.push_back({});
    for (; hole > 0; hole = (hole - 1) / kArity) {
      const Entry& parent = heap_[(hole - 1) / kArity];
      if (!(date < parent.date)) break;
      heap_[hole] = parent;
    }
    heap_[hole] = {date, application};
  }

  /// Removes the entry with the smallest date and returns it. @pre !empty()
  Entry pop() {
    const Entry first = heap_.front();
    const Entry last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
    return first;
  }

 private:
  static constexpr std::size_t kArity = 4;

  // Puts an entry at the root and lets it sink.
  void sink(const Entry& entry) {
    std::size_t hole = 0;
    const std::size_t count = heap_.size();
    for (std::size_t first = 1; first < count; first = kArity * hole + 1) {
      const std::size_t last = first + kArity < count ? first + kArity : count;
      std::size_t least = first;
      for (std::size_t child = first + 1; child < last; ++child) {
        least = heap_[child].date < heap_[least].date ? child : least;
      }
      if (!(heap_[least].date < entry.date)) break;
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = entry;
  }

  std::vector<Entry> heap_;
};

}  // namespace holdfast::io
