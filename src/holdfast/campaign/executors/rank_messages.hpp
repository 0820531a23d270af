#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/executors/pool.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

class Design;

/// The messages between the processes of a run (ranks.hpp).
enum RankMessage : int {
  kHello,   ///< helper: ready, with the fingerprint of its design
  kFailed,  ///< helper: a group or the start (kNoGroup) has failed
  /// Helper: number of groups finished so far, and cells; an empty message is a heartbeat.
  kCells,
  kBye,    ///< helper: this was the last message
  kBegin,  ///< leader: the cells that exist, and how groups are cut
  kChunk,  ///< leader: groups to run
  kLimit,  ///< leader: groups from this one on need not run
  kAlive,  ///< leader: heartbeat
  kEnd,    ///< leader: there is nothing more to run
};

constexpr std::uint64_t kNoGroup = ~std::uint64_t{0};

struct BeginMessage {
  unsigned workers = 1;             ///< Workload::workers()
  std::vector<std::uint64_t> runs;  ///< Workload::done() as runs of cells
};
struct FailedMessage {
  std::uint64_t group = kNoGroup;
  Error error;
};
struct CellsMessage {
  std::uint64_t finished = 0;  ///< groups finished since the start
  std::string batch;           ///< cells, as bytes
};

/// Returns a text that must be the same in all processes: the design, and the version of the program.
[[nodiscard]] std::string identity(const Design& design);

[[nodiscard]] std::string to_bytes(const BeginMessage& message);
[[nodiscard]] std::string to_bytes(const FailedMessage& message);
[[nodiscard]] std::string to_bytes(const CellsMessage& message);
[[nodiscard]] std::string to_bytes(const GroupRange& range);
[[nodiscard]] BeginMessage parse_begin(std::string_view bytes);
[[nodiscard]] FailedMessage parse_failed(std::string_view bytes);
[[nodiscard]] CellsMessage parse_cells(std::string_view bytes);
[[nodiscard]] GroupRange parse_range(std::string_view bytes);

}  // namespace holdfast
