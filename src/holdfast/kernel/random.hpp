#pragma once

#include <array>
#include <cstdint>

namespace holdfast {

/// What the numbers of a stream are used for. Two purposes never share a number.
enum class Purpose : std::uint64_t {
  instance = 1,   ///< instances of a problem
  failures = 2,   ///< failures during a run
  durations = 3,  ///< durations that are uncertain for reasons other than failures
  /// Random choices that a strategy makes. Keys do not contain the strategy's name, so all strategies get the same numbers.
  strategy = 4,
  bootstrap = 5,  ///< resampling in statistics
  tool = 6,       ///< samples that tools draw (trace slices, ages)
  repairs = 7,    ///< lengths of repairs
  outcomes = 8,   ///< whether a repair helps
  choices = 9,    ///< choices that the surroundings make, such as which spare steps in
};

/// The name of one stream of random numbers. It does not depend on thread, rank, chunk or strategy, so every executor and every
/// strategy gets the same numbers.
struct StreamKey {
  std::uint64_t seed = 1;               ///< the seed of the campaign or command
  Purpose purpose = Purpose::instance;  ///< what the numbers are used for
  std::uint64_t instance = 0;           ///< the number of the instance, from 0
  std::uint64_t scenario = 0;           ///< the number of the scenario, from 0
  std::uint64_t entity = 0;             ///< the number of the processor, job, worker ...

  friend bool operator==(const StreamKey&, const StreamKey&) = default;
};

/// A counter-based stream (Philox 4x64, 10 rounds, from Random123). Any draw is reached in O(1), and streams with different
/// keys are independent. The 256-bit counter holds (position, entity, scenario, instance), and the 128-bit key holds (seed,
/// purpose), so no two keys collide.
class Stream {
 public:
  /// Starts the stream of that name at its first number.
  explicit Stream(const StreamKey& key);

  /// Returns 64 random bits.
  std::uint64_t bits() {
    if (used_ == block_.size()) refill();
    return block_[used_++];
  }
  /// Returns a uniform number in (0, 1): (k + 1/2) / 2^52, never 0 and never 1, so that logarithms and inversions are finite.
  double uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52; }
  /// Returns a uniform real number in (low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Returns a uniform integer in [low, high], without bias (Lemire's method).
  std::int64_t integer(std::int64_t low, std::int64_t high);
  /// Returns true with that probability.
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

/// Returns the uniform number at a position of a stream, in O(1).
[[nodiscard]] double uniform_at(const StreamKey& key, std::uint64_t position);

}  // namespace holdfast
