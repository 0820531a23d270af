#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace holdfast::cosched {

/// The order of tasks in every heuristic: larger finish first, and for equal finishes the smaller index. Only the head changes
/// its key, so replacing the top is the only operation that must be fast.
class HeadHeap {
 public:
  /// Adds a task without ordering. Call build() before top().
  void add(double finish, std::size_t task) { items_.push_back({finish, task}); }
  void build() {
    for (std::size_t i = items_.size() / 2; i-- > 0;) sink(i);
  }
  void clear() { items_.clear(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  /// Returns the first task. @pre !empty()
  [[nodiscard]] std::size_t top() const { return items_.front().task; }
  void replace_top(double finish) {
    items_.front().finish = finish;
    sink(0);
  }
  void remove_top() {
    items_.front() = items_.back();
    items_.pop_back();
    if (!items_.empty()) sink(0);
  }

 private:
  struct Item {
    double finish;
    std::size_t task;
  };
  static bool before(const Item& a, const Item& b) {
    return a.finish != b.finish ? a.finish > b.finish : a.task < b.task;
  }
  void sink(std::size_t hole) {
    const Item item = items_[hole];
    for (;;) {
      std::size_t child = 2 * hole + 1;
      if (child >= items_.size()) break;
      if (child + 1 < items_.size() && before(items_[child + 1], items_[child])) ++child;
      if (!before(items_[child], item)) break;
      items_[hole] = items_[child];
      hole = child;
    }
    items_[hole] = item;
  }

  std::vector<Item> items_;
};

}  // namespace holdfast::cosched
