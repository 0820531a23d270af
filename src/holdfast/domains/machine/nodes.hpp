#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

namespace holdfast::machine {

/// Nodes first to last - 1.
struct NodeRange {
  std::int64_t first = 0;
  std::int64_t last = 0;

  [[nodiscard]] std::int64_t size() const { return last - first; }
};

/// The nodes of the machine: which are free, and which job has each of the others. Free nodes are taken in order of number.
class Nodes {
 public:
  static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

  explicit Nodes(std::int64_t count);

  [[nodiscard]] std::int64_t free() const { return free_; }
  /// Returns the number of nodes in repair.
  [[nodiscard]] std::int64_t broken() const { return broken_; }
  /// Returns the job that has a node; kNobody if the node is free or in repair.
  [[nodiscard]] std::uint32_t owner(std::int64_t node) const {
    return owners_[static_cast<std::size_t>(node)];
  }
  [[nodiscard]] bool is_free(std::int64_t node) const;

  /// Assigns nodes to a job. @pre count <= free()
  [[nodiscard]] std::vector<NodeRange> take(std::int64_t count, std::uint32_t owner);
  void give_back(std::span<const NodeRange> ranges);
  /// Takes a free node out of service. @pre is_free(node)
  void break_down(std::int64_t node);
  /// Makes the node of break_down() free again.
  void mend(std::int64_t node);

 private:
  void insert(NodeRange range);

  std::map<std::int64_t, std::int64_t> ranges_;  // free nodes: first to last
  std::vector<std::uint32_t> owners_;
  std::int64_t free_;
  std::int64_t broken_ = 0;
};

}  // namespace holdfast::machine
