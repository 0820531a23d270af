#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/executors/pool.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

class Design;

/// What the processes of a run say to each other (ranks.hpp).
enum RankMessage : int {
  kHello,   ///< helper: my design, by its fingerprint; ready
  kFailed,  ///< helper: a group, or the start (kNoGroup), failed
  kCells,   ///< helper: groups finished so far, and cells; empty ones say that I am there
  kBye,     ///< helper: I have nothing more, and send nothing more
  kBegin,   ///< leader: which cells are there, and how groups are cut
  kChunk,   ///< leader: groups to run
  kLimit,   ///< leader: groups from here on need not run
  kAlive,   ///< leader: I am there
  kEnd,     ///< leader: nothing more to run
};

constexpr std::uint64_t kNoGroup = ~std::uint64_t{0};

struct BeginMessage {
  unsigned workers = 1;             ///< Workload::workers()
  std::vector<std::uint64_t> runs;  ///< Workload::done(), as runs
};
struct FailedMessage {
  std::uint64_t group = kNoGroup;
  Error error;
};
struct CellsMessage {
  std::uint64_t finished = 0;  ///< groups, since the start
  std::string batch;           ///< cells, as bytes
};

/// Returns what has to agree between processes: the design, and the version of the program.
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
