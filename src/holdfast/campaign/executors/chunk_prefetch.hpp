#pragma once

#include <cstdint>

namespace holdfast {

/// The rule for when a process gets its next chunk. If chunks are short, it gets the next one while it still runs the last one,
/// so that it never waits for messages. A long chunk is handed out only when the process has finished the last one, because
/// another process might become free earlier.
class ChunkPrefetch {
 public:
  /// The time in seconds above which a chunk is long.
  static constexpr double kWorthWaiting = 0.2;

  void give(std::uint64_t groups, double seconds) {
    given_ += groups;
    last_ = groups;
    seconds_ = seconds;
  }
  /// Records how many groups have been finished since the start.
  void finish(std::uint64_t groups) { finished_ = groups; }

  [[nodiscard]] bool wants_chunk() const {
    const std::uint64_t left = given_ - finished_;
    return left == 0 || (left <= last_ && seconds_ < kWorthWaiting);
  }
  /// Returns true if all groups that were handed out are finished.
  [[nodiscard]] bool is_done() const { return given_ == finished_; }

 private:
  std::uint64_t given_ = 0;
  std::uint64_t finished_ = 0;
  std::uint64_t last_ = 0;
  double seconds_ = 0;  // expected time of the last chunk, seconds
};

}  // namespace holdfast
