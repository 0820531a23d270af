#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace holdfast {

/// What is running, by the time at which it ends. A tournament tree: the leaves are places for
/// running things, an inner node holds the earlier of its two children. The path of a leaf is known
/// before its nodes are read, so that taking the earliest out costs one compare and one conditional
/// move per level, without a guess for the processor to get wrong; putting something in stops at
/// the first node that ends earlier, two levels up on average.
///
/// Things that end at the same time come out in no particular order: who cares must take them all
/// and sort.
class Completions {
 public:
  explicit Completions(std::size_t expected = 0) { reset(expected); }

  /// Forgets everything and makes room for that many at once; grows by itself beyond.
  void reset(std::size_t expected);

  [[nodiscard]] bool empty() const { return free_.size() == leaves_; }
  [[nodiscard]] std::size_t size() const { return leaves_ - free_.size(); }

  /// Returns the earliest end. @pre !empty()
  [[nodiscard]] double next() const {
    assert(!empty());
    return std::bit_cast<double>(nodes_[1].key);
  }

  /// @param end  >= 0, finite (such doubles compare as their bits do)
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

  /// Takes the earliest out. @pre !empty()
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
    std::uint64_t key;  ///< bits of the end
    std::uint32_t leaf;
  };
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  void grow();

  std::size_t leaves_ = 0;   ///< a power of two
  std::vector<Node> nodes_;  ///< [2 leaves]; the children of i are 2i and 2i + 1, leaves come last
  std::vector<std::uint32_t> payload_;  ///< [leaves]
  std::vector<std::uint32_t> free_;  ///< leaves without anything; the one freed last is taken first
};

}  // namespace holdfast
