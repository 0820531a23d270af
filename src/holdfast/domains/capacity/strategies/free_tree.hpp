#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::capacity {

/// The free cores by position. It finds the first position with enough cores in O(log M), and knows at once if there is none.
class FreeTree {
 public:
  static constexpr std::int64_t kNone = -1;

  explicit FreeTree(std::size_t positions)
      : leaves_{std::bit_ceil(std::max<std::size_t>(positions, 1))}, most_(2 * leaves_, kNone) {}

  void set(std::size_t position, std::int64_t free) {
    std::size_t node = leaves_ + position;
    most_[node] = free;
    while (node > 1) {
      node /= 2;
      const std::int64_t most = std::max(most_[2 * node], most_[2 * node + 1]);
      if (most_[node] == most) break;
      most_[node] = most;
    }
  }
  [[nodiscard]] std::int64_t largest() const { return most_[1]; }
  /// Returns the first position with at least that many cores, or kNone. @pre cores >= 0
  [[nodiscard]] std::int64_t first(std::int64_t cores) const {
    if (most_[1] < cores) return kNone;
    std::size_t node = 1;
    while (node < leaves_) {
      node *= 2;
      if (most_[node] < cores) ++node;
    }
    return static_cast<std::int64_t>(node - leaves_);
  }

 private:
  std::size_t leaves_;
  std::vector<std::int64_t> most_;
};

}  // namespace holdfast::capacity
