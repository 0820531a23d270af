#include "holdfast/domains/machine/nodes.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace holdfast::machine {

Nodes::Nodes(std::int64_t count) : owners_(static_cast<std::size_t>(count), kNobody), free_{count} {
  ranges_.emplace(0, count);
}

bool Nodes::is_free(std::int64_t node) const {
  const auto after = ranges_.upper_bound(node);
  return after != ranges_.begin() && node < std::prev(after)->second;
}

std::vector<NodeRange> Nodes::take(std::int64_t count, std::uint32_t owner) {
  assert(count <= free_);
  std::vector<NodeRange> out;
  free_ -= count;
  while (count > 0) {
    const auto [first, last] = *ranges_.begin();
    const NodeRange part{first, std::min(last, first + count)};
    ranges_.erase(ranges_.begin());
    if (part.last < last) ranges_.emplace(part.last, last);
    std::fill(owners_.begin() + part.first, owners_.begin() + part.last, owner);
    count -= part.size();
    out.push_back(part);
  }
  return out;
}

void Nodes::give_back(std::span<const NodeRange> ranges) {
  for (const NodeRange& range : ranges) {
    std::fill(owners_.begin() + range.first, owners_.begin() + range.last, kNobody);
    insert(range);
  }
}

void Nodes::break_down(std::int64_t node) {
  const auto range = std::prev(ranges_.upper_bound(node));
  const NodeRange whole{range->first, range->second};
  ranges_.erase(range);
  if (whole.first < node) ranges_.emplace(whole.first, node);
  if (node + 1 < whole.last) ranges_.emplace(node + 1, whole.last);
  --free_;
  ++broken_;
}

void Nodes::mend(std::int64_t node) {
  --broken_;
  insert({node, node + 1});
}

void Nodes::insert(NodeRange range) {
  free_ += range.size();
  const auto after = ranges_.lower_bound(range.first);
  if (after != ranges_.end() && after->first == range.last) {
    range.last = after->second;
    ranges_.erase(after);
  }
  if (const auto next = ranges_.lower_bound(range.first); next != ranges_.begin()) {
    const auto before = std::prev(next);
    if (before->second == range.first) {
      before->second = range.last;
      return;
    }
  }
  ranges_.emplace(range.first, range.last);
}

}  // namespace holdfast::machine
