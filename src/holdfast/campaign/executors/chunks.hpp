#pragma once

#include <cstdint>

namespace holdfast {

/// The rule for how much work the leading process hands out at a time: enough to make the cost of messages negligible, and so
/// little that all workers end at about the same time. The simulation in docs/cluster.md uses the same rule.
class ChunkRule {
 public:
  /// @param workers  number of threads that run cells, over all processes, >= 1
  explicit ChunkRule(std::uint64_t workers) : workers_(workers) {}

  /// Records the measured time of some cells, in seconds.
  void learn(std::uint64_t cells, double seconds);
  /// Returns the recent time per cell in seconds; 0 while it is unknown.
  [[nodiscard]] double cell_seconds() const;
  /// Returns the seconds of work in a chunk for one worker while there is plenty of work.
  [[nodiscard]] double chunk_seconds() const;
  /// Returns the number of cells in the next chunk for one worker, at least 1, if `left` cells are still to be handed out.
  [[nodiscard]] std::uint64_t cells(std::uint64_t left) const;

 private:
  std::uint64_t workers_;
  double cells_ = 0;
  double seconds_ = 0;
};

}  // namespace holdfast
