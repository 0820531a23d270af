#pragma once

#include <array>
#include <cstdint>

namespace holdfast {

/// What the numbers of a stream are used for. Two purposes never share a number.
enum class Purpose : std::uint64_t {
  instance = 1,   ///< drawing the problem
  failures = 2,   ///< what goes wrong while it runs
  durations = 3,  ///< how long things take, where that is uncertain apart from failures
  strategy =
      4,  ///< a strategy's own coin (the keys hold no strategy name: all strategies toss the same one)
  bootstrap = 5,  ///< resampling in statistics
  tool = 6,       ///< sampling by tools (trace slices, ages)
};

/// Names one stream of random numbers. No thread, rank, chunk or strategy is in it: every executor and every
/// strategy meets the same numbers.
struct StreamKey {
  std::uint64_t seed = 1;
  Purpose purpose = Purpose::instance;
  std::uint64_t instance = 0;
  std::uint64_t scenario = 0;
  std::uint64_t entity = 0;  ///< processor, job, worker ...

  friend bool operator==(const StreamKey&, const StreamKey&) = default;
};

/// A counter-based stream (Philox 4x64, 10 rounds, of Random123): any draw is reached in O(1), streams of different
/// keys are independent. 256 bits of counter hold (position, entity, scenario, instance); the 128 bits of key hold
/// (seed, purpose): no two keys collide.
class Stream {
 public:
  explicit Stream(const StreamKey& key);

  /// 64 random bits.
  std::uint64_t bits() {
    if (used_ == block_.size()) refill();
    return block_[used_++];
  }
  /// Uniform in (0, 1): (k + 1/2) / 2^52, never 0 and never 1, so that logarithms and inversions are finite.
  double uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52; }
  /// Uniform real in (low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Uniform integer in [low, high], without bias (Lemire's method).
  std::int64_t integer(std::int64_t low, std::int64_t high);
  /// True with that probability.
  bool chance(double probability) { return uniform() < probability; }

  /// Continues at the block-aligned position 4 * block of the stream.
  void seek(std::uint64_t block);

 private:
  void refill();

  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, 4> counter_;
  std::array<std::uint64_t, 4> block_{};
  std::size_t used_ = 4;
};

}  // namespace holdfast
