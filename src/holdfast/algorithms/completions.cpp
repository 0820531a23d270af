#include "holdfast/algorithms/completions.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::size_t kFewest = 16;

// Low leaves are used first, so that a few running items stay close together in memory.
void list_free(std::vector<std::uint32_t>& free, std::size_t from, std::size_t to) {
  for (std::size_t leaf = to; leaf > from; --leaf) {
    free.push_back(static_cast<std::uint32_t>(leaf - 1));
  }
}

}  // namespace

void Completions::reset(std::size_t expected) {
  leaves_ = std::bit_ceil(std::max(kFewest, expected));
  nodes_.assign(2 * leaves_, Node{kNever, 0});
  payload_.resize(leaves_);
  free_.clear();
  free_.reserve(leaves_);
  list_free(free_, 0, leaves_);
}

void Completions::grow() {
  const std::size_t before = leaves_;
  leaves_ *= 2;
  payload_.resize(leaves_);
  std::vector<Node> nodes(2 * leaves_, Node{kNever, 0});
  for (std::size_t leaf = 0; leaf < before; ++leaf) nodes[leaves_ + leaf] = nodes_[before + leaf];
  for (std::size_t at = leaves_ - 1; at >= 1; --at) {
    nodes[at] = nodes[2 * at + 1].key < nodes[2 * at].key ? nodes[2 * at + 1] : nodes[2 * at];
  }
  nodes_ = std::move(nodes);
  free_.reserve(leaves_);
  list_free(free_, before, leaves_);
}

}  // namespace holdfast
