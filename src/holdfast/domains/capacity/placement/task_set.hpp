#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::capacity {

/// A set of task numbers that is changed in O(1) and listed in ascending order without sorting.
class TaskSet {
 public:
  explicit TaskSet(std::size_t tasks) : words_((tasks + 63) / 64, 0) {}

  /// Adds a task. @pre the set does not contain it
  void insert(std::size_t task) {
    words_[task / 64] |= bit(task);
    ++size_;
  }
  void erase(std::size_t task) {
    words_[task / 64] &= ~bit(task);
    --size_;
  }
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// Writes the tasks to `out`, ascending.
  void list(std::vector<std::size_t>& out) const {
    out.resize(static_cast<std::size_t>(size_));
    std::size_t* next = out.data();
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        *next++ = 64 * w + static_cast<std::size_t>(std::countr_zero(word));
      }
    }
  }

 private:
  static std::uint64_t bit(std::size_t task) { return std::uint64_t{1} << (task % 64); }

  std::vector<std::uint64_t> words_;
  std::int64_t size_ = 0;
};

}  // namespace holdfast::capacity
