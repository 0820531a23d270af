#pragma once

#include <cstdint>

namespace holdfast {

/// A queueing model of a run on several processes (ranks.hpp): one leader that hands out chunks, takes results and stores them,
/// and workers that run cells. Its constants are measured (docs/cluster.md).
struct RanksModel {
  std::uint64_t workers = 2;  ///< processes, one thread each; the first also hands out
  std::uint64_t cells = 0;
  double cell_seconds = 0;  ///< mean time of a cell on its worker
  /// Standard deviation of the cell time divided by its mean; cell times are gamma distributed.
  double spread = 0;
  double message_seconds = 20e-6;  ///< time that the leader needs for the messages of a chunk
  double store_seconds = 2e-6;     ///< time that the leader needs to read and store a cell
  double latency = 1e-3;   ///< mean time from sending a message until the receiver looks at it
  std::uint64_t seed = 1;  ///< seed of the cell times
};

struct RanksOutcome {
  double seconds = 0;      ///< time until the last cell is stored
  double idle = 0;         ///< share of the workers' time without a cell
  double leader_busy = 0;  ///< share of the leader's time spent on messages and storage
  std::uint64_t chunks = 0;
};

/// Runs the model. The size of chunks (chunks.hpp) and the order of handing them out (two per process while chunks are short)
/// follow the same rules as in the executor itself.
[[nodiscard]] RanksOutcome simulate(const RanksModel& model);

}  // namespace holdfast
