#pragma once

#include <cstdint>

namespace holdfast {

/// A run on several processes (ranks.hpp) as a queueing model: one that hands out, takes results and
/// stores them, and workers that run cells. What its constants are is measured (docs/cluster.md).
struct RanksModel {
  std::uint64_t workers = 2;  ///< processes, one thread each; the first also hands out
  std::uint64_t cells = 0;
  double cell_seconds = 0;  ///< that a cell takes its worker
  /// Standard deviation of the above over its mean; cells are gamma distributed.
  double spread = 0;
  double message_seconds = 20e-6;  ///< that a chunk takes the leader, for its messages
  double store_seconds = 2e-6;     ///< that a cell takes the leader, to read and store it
  double latency = 1e-3;   ///< from sending a message until the other looks at it, in the mean
  std::uint64_t seed = 1;  ///< seed of the cells' times
};

struct RanksOutcome {
  double seconds = 0;      ///< until the last cell is stored
  double idle = 0;         ///< part of the workers' time without a cell
  double leader_busy = 0;  ///< part of the leader's time with messages and the store
  std::uint64_t chunks = 0;
};

/// Runs the model: the leader's rule of chunks (chunks.hpp) and of who gets the next (two at hand while
/// chunks are short) are those of the executor itself.
[[nodiscard]] RanksOutcome simulate(const RanksModel& model);

}  // namespace holdfast
