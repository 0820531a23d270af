#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace holdfast {

/// Two containers for slots that wait to be started, in order of priority. A slot is a position in that order: slot 0 is asked
/// first. They have the same functions: PendingTree is for arbitrary allocations, PendingBitmap for equal ones.

/// The value that means "no slot".
inline constexpr std::uint32_t kNoSlot = std::numeric_limits<std::uint32_t>::max();

/// Slots that wait for given numbers of processors. A segment tree over the slots stores the smallest number below each node.
/// Finding the first slot that fits, inserting and removing cost O(log slots), and the root shows whether anything fits.
///
/// Passing once over the waiting list and starting everything that fits is the same as asking for the first slot that fits
/// until there is none: a slot that was skipped earlier in the pass needed more than was free then, and the number of free
/// processors only shrinks.
class PendingTree {
 public:
  explicit PendingTree(std::size_t slots = 0) { reset(slots); }

  /// Makes that many slots, none of them waiting.
  void reset(std::size_t slots);
  /// Makes one slot per entry. @param processors  [slots] each from 1 to 2^32 - 2, or kNoSlot if the slot does not wait yet
  void fill(std::span<const std::uint32_t> processors);
  /// Makes at least that many slots, and lets those wait that do.
  void grow(std::size_t slots);

  /// Returns the number of slots, at least as many as were asked for.
  [[nodiscard]] std::size_t slots() const { return leaves_; }
  [[nodiscard]] bool empty() const { return tree_[1] == kNone; }
  /// Returns the smallest number of processors that a waiting slot asks for; 2^32 - 1 if none waits.
  [[nodiscard]] std::uint32_t least() const { return tree_[1]; }

  void insert(std::uint32_t slot, std::uint32_t processors) {
    assert(slot < leaves_ && processors >= 1 && processors != kNone);
    std::size_t at = leaves_ + slot;
    tree_[at] = processors;
    for (at /= 2; at >= 1 && processors < tree_[at]; at /= 2) tree_[at] = processors;
  }

  /// Returns the first waiting slot that asks for at most `free` processors, or kNoSlot.
  [[nodiscard]] std::uint32_t first_fit(std::uint32_t free) const {
    if (tree_[1] > free || tree_[1] == kNone) return kNoSlot;
    std::size_t at = 1;
    while (at < leaves_) at = 2 * at + (tree_[2 * at] > free ? 1 : 0);
    return static_cast<std::uint32_t>(at - leaves_);
  }

  /// Makes a slot wait for that number of processors, whatever it waited for before; with kNoSlot it waits no longer.
  void set(std::uint32_t slot, std::uint32_t processors) {
    std::size_t at = leaves_ + slot;
    tree_[at] = processors;
    while (at > 1) {
      const std::uint32_t least = tree_[at] < tree_[at ^ 1] ? tree_[at] : tree_[at ^ 1];
      at /= 2;
      if (tree_[at] == least) break;
      tree_[at] = least;
    }
  }
  /// Removes a waiting slot, and returns its number of processors.
  std::uint32_t take(std::uint32_t slot) {
    const std::uint32_t taken = tree_[leaves_ + slot];
    assert(taken != kNone);
    set(slot, kNone);
    return taken;
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::size_t leaves_ = 1;           ///< a power of two
  std::vector<std::uint32_t> tree_;  ///< [2 leaves]; the children of i are 2i and 2i + 1
};

/// Slots that all wait for the same number of processors. It is a set of small integers with one bit per slot and, on each
/// higher level, one bit per 64 bits below. All operations are O(log64 slots): 4 words for a million slots.
class PendingBitmap {
 public:
  explicit PendingBitmap(std::uint32_t processors = 1, std::size_t slots = 0)
      : processors_{processors} {
    reset(slots);
  }

  void reset(std::size_t slots);
  /// Makes all slots of [0, slots) wait.
  void fill();

  [[nodiscard]] bool empty() const { return levels_[depth_ - 1].front() == 0; }
  [[nodiscard]] std::uint32_t least() const { return empty() ? kNoSlot : processors_; }

  /// Makes a slot wait. The number of processors is the same for all slots; it is a parameter only so that both containers are
  /// used in the same way.
  void insert(std::uint32_t slot, [[maybe_unused]] std::uint32_t processors) {
    assert(slot < slots_ && processors == processors_);
    std::size_t at = slot;
    for (std::size_t level = 0; level < depth_; ++level) {
      std::uint64_t& word = levels_[level][at / 64];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << (at % 64);
      if (!was_empty) break;
      at /= 64;
    }
  }

  [[nodiscard]] std::uint32_t first_fit(std::uint32_t free) const {
    if (free < processors_ || empty()) return kNoSlot;
    std::size_t at = 0;
    for (std::size_t level = depth_; level-- > 0;) {
      at = 64 * at + static_cast<std::size_t>(std::countr_zero(levels_[level][at]));
    }
    return static_cast<std::uint32_t>(at);
  }

  std::uint32_t take(std::uint32_t slot) {
    std::size_t at = slot;
    for (std::size_t level = 0; level < depth_; ++level) {
      std::uint64_t& word = levels_[level][at / 64];
      word &= ~(std::uint64_t{1} << (at % 64));
      if (word != 0) break;
      at /= 64;
    }
    return processors_;
  }

 private:
  static constexpr std::size_t kMostLevels = 6;  // 64^6 > 2^32

  std::uint32_t processors_;
  std::size_t slots_ = 0;
  std::size_t depth_ = 1;  ///< levels in use; the last has one word
  std::array<std::vector<std::uint64_t>, kMostLevels> levels_;
};

}  // namespace holdfast
