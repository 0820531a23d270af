#include "holdfast/algorithms/pending.hpp"

#include <algorithm>

namespace holdfast {

void PendingTree::reset(std::size_t slots) {
  assert(slots < kNoSlot);
  leaves_ = std::bit_ceil(std::max<std::size_t>(2, slots));
  tree_.assign(2 * leaves_, kNone);
}

void PendingTree::fill(std::span<const std::uint32_t> processors) {
  reset(processors.size());
  std::copy(processors.begin(), processors.end(),
            tree_.begin() + static_cast<std::ptrdiff_t>(leaves_));
  for (std::size_t at = leaves_ - 1; at >= 1; --at) {
    tree_[at] = std::min(tree_[2 * at], tree_[2 * at + 1]);
  }
}

void PendingTree::grow(std::size_t slots) {
  std::vector<std::uint32_t> waiting(tree_.begin() + static_cast<std::ptrdiff_t>(leaves_),
                                     tree_.end());
  waiting.resize(std::max(slots, leaves_), kNone);
  fill(waiting);
}

void PendingBitmap::reset(std::size_t slots) {
  assert(slots < kNoSlot);
  slots_ = slots;
  depth_ = 0;
  std::size_t words = slots;
  do {
    words = std::max<std::size_t>(1, (words + 63) / 64);
    levels_[depth_++].assign(words, 0);
  } while (words > 1);
}

void PendingBitmap::fill() {
  std::size_t bits = slots_;
  for (std::size_t level = 0; level < depth_ && bits > 0; ++level) {
    auto& words = levels_[level];
    std::fill(words.begin(), words.end(), ~std::uint64_t{0});
    if (bits % 64 != 0) words.back() = (std::uint64_t{1} << (bits % 64)) - 1;
    bits = words.size();
  }
}

}  // namespace holdfast
