#pragma once

#include <cstdint>

namespace holdfast {

/// How much work is handed out at a time, by the process that hands it out: large enough that its
/// messages cost nothing, small enough that workers end together. The simulation of docs/cluster.md
/// uses the same rule.
class ChunkRule {
 public:
  /// @param workers  threads that run cells, of all processes, >= 1
  explicit ChunkRule(std::uint64_t workers) : workers_(workers) {}

  /// Cells were measured to take so long together.
  void learn(std::uint64_t cells, double seconds);
  /// Returns the seconds of a cell, lately; 0 while nothing is known.
  [[nodiscard]] double cell_seconds() const;
  /// Returns the seconds of work in a chunk for one worker while there is plenty.
  [[nodiscard]] double chunk_seconds() const;
  /// Cells of the next chunk for one worker, at least 1, when so many are left to hand out.
  [[nodiscard]] std::uint64_t cells(std::uint64_t left) const;

 private:
  std::uint64_t workers_;
  double cells_ = 0;
  double seconds_ = 0;
};

}  // namespace holdfast
