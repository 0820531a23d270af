#include "holdfast/campaign/executors/chunks.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>

namespace holdfast {
namespace {

/// The shortest time of a chunk, in seconds. When a process is killed, about two chunks are lost.
constexpr double kShortest = 0.02;
/// The time that a chunk costs the process that hands it out, in seconds: two messages and their handling.
constexpr double kMessageSeconds = 20e-6;
/// The part of its time that this process may spend on messages.
constexpr double kShare = 0.25;
/// The shortest time of a cell, in seconds, whatever was measured, because handing over a result takes this long.
constexpr double kLeastCell = 1e-6;
constexpr std::uint64_t kLargestChunk = 65536;
/// A worker gets its share of the remaining cells divided by this number, so that chunks shrink towards the end.
constexpr std::uint64_t kTail = 4;
/// The number of cells after which the weight of a measurement is halved.
constexpr double kMemory = 10'000;

}  // namespace

void ChunkRule::learn(std::uint64_t cells, double seconds) {
  const auto count = static_cast<double>(cells);
  const double keep = elementary::exp2(-count / kMemory);
  cells_ = cells_ * keep + count;
  seconds_ = seconds_ * keep + seconds;
}

double ChunkRule::cell_seconds() const {
  return cells_ > 0 ? std::max(kLeastCell, seconds_ / cells_) : 0;
}

double ChunkRule::chunk_seconds() const {
  return std::max(kShortest, static_cast<double>(workers_) * kMessageSeconds / kShare);
}

std::uint64_t ChunkRule::cells(std::uint64_t left) const {
  if (!(cell_seconds() > 0)) return 1;
  const double by_time = std::min(chunk_seconds() / cell_seconds(), double{kLargestChunk});
  const std::uint64_t by_share = left / (kTail * workers_);
  return std::clamp<std::uint64_t>(by_share, 1,
                                   std::max<std::uint64_t>(1, static_cast<std::uint64_t>(by_time)));
}

}  // namespace holdfast
