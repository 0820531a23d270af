#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

namespace holdfast::capacity {

/// Waiting tasks in order of (release, position), which is the order of their numbers. A pass in the source looks at each task
/// in turn and starts those that fit. Asking repeatedly for the first task that fits makes the same choices: a task that was
/// skipped earlier needed more than was free then, and the number of free cores only shrinks during a pass.
class WaitingQueue {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  explicit WaitingQueue(std::int64_t most_cores)
      : by_cores_(static_cast<std::size_t>(most_cores) + 1) {}

  void add(std::size_t task, std::int64_t cores) {
    by_cores_[static_cast<std::size_t>(cores)].push(task);
    ++size_;
  }
  /// Removes the first task that needs at most `free` cores, and returns it; kNone if there is none.
  std::size_t take(std::int64_t free) {
    if (size_ == 0 || free < 1) return kNone;
    const std::size_t limit = std::min(static_cast<std::size_t>(free), by_cores_.size() - 1);
    std::size_t best = kNone, from = 0;
    for (std::size_t cores = 1; cores <= limit; ++cores) {
      if (!by_cores_[cores].empty() && by_cores_[cores].top() < best) {
        best = by_cores_[cores].top();
        from = cores;
      }
    }
    if (best == kNone) return kNone;
    by_cores_[from].pop();
    --size_;
    return best;
  }
  [[nodiscard]] std::int64_t size() const { return size_; }

 private:
  using Heap = std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>>;
  std::vector<Heap> by_cores_;
  std::int64_t size_ = 0;
};

}  // namespace holdfast::capacity
