#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace holdfast {

/// A queue of running items, ordered by the time at which they end. It is a tournament tree: the leaves are slots for running
/// items, and an inner node holds the earlier of its two children. The path of a leaf is known before its nodes are read, so
/// taking out the earliest item costs one comparison and one conditional move per level, without unpredictable branches. Adding
/// an item stops at the first node that ends earlier, two levels up on average.
///
/// Items that end at the same time come out in no particular order. A caller to whom the order matters must take them all out
/// and sort them.
class Completions {
 public:
  explicit Completions(std::size_t expected = 0) { reset(expected); }

  /// Removes everything and makes room for that many items; the queue grows by itself beyond that.
  void reset(std::size_t expected);

  [[nodiscard]] bool empty() const { return free_.size() == leaves_; }
  [[nodiscard]] std::size_t size() const { return leaves_ - free_.size(); }

  /// Returns the earliest end. @pre !empty()
  [[nodiscard]] double next() const {
    assert(!empty());
    return std::bit_cast<double>(nodes_[1].key);
  }

  /// Adds an item. @param end  >= 0 and finite (such doubles compare like their bits)
  void push(double end, std::uint32_t what) {
    assert(end >= 0 && end <= std::numeric_limits<double>::max());
    if (free_.empty()) grow();
    const std::uint32_t leaf = free_.back();
    free_.pop_back();
    payload_[leaf] = what;
    const Node entry{std::bit_cast<std::uint64_t>(end), leaf};
    std::size_t at = leaves_ + leaf;
    nodes_[at] = entry;
    for (at /= 2; at >= 1 && entry.key < nodes_[at].key; at /= 2) nodes_[at] = entry;
  }

  /// Removes the item that ends first, and returns it. @pre !empty()
  std::uint32_t pop() {
    assert(!empty());
    const std::uint32_t leaf = nodes_[1].leaf;
    Node winner{kNever, leaf};
    std::size_t at = leaves_ + leaf;
    nodes_[at] = winner;
    while (at > 1) {
      const Node other = nodes_[at ^ 1];
      winner = other.key < winner.key ? other : winner;
      at /= 2;
      nodes_[at] = winner;
    }
    free_.push_back(leaf);
    return payload_[leaf];
  }

 private:
  struct Node {
    std::uint64_t key;  ///< the end, as bits
    std::uint32_t leaf;
  };
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  void grow();

  std::size_t leaves_ = 0;   ///< a power of two
  std::vector<Node> nodes_;  ///< [2 leaves]; the children of i are 2i and 2i + 1, leaves come last
  std::vector<std::uint32_t> payload_;  ///< the items, [leaves]
  std::vector<std::uint32_t> free_;     ///< free leaves; the one freed last is used first
};

}  // namespace holdfast
