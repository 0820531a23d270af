#pragma once

#include <cstdint>

namespace holdfast {

/// When a process is given its next chunk. Of short chunks it has the next at hand while it runs one,
/// so that the way of the messages costs nothing; a long one is worth waiting for, because what is
/// given to one process cannot be run by another that has nothing left.
class ChunkPrefetch {
 public:
  /// A chunk expected to take longer than this is handed out when the one before has ended.
  static constexpr double kWorthWaiting = 0.2;

  void give(std::uint64_t groups, double seconds) {
    given_ += groups;
    last_ = groups;
    seconds_ = seconds;
  }
  /// So many groups, since the start, are done.
  void finish(std::uint64_t groups) { finished_ = groups; }

  [[nodiscard]] bool wants_chunk() const {
    const std::uint64_t left = given_ - finished_;
    return left == 0 || (left <= last_ && seconds_ < kWorthWaiting);
  }
  /// Nothing that was given is left.
  [[nodiscard]] bool is_done() const { return given_ == finished_; }

 private:
  std::uint64_t given_ = 0;
  std::uint64_t finished_ = 0;
  std::uint64_t last_ = 0;
  double seconds_ = 0;  // that the last chunk was expected to take
};

}  // namespace holdfast
