#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"
#include "holdfast/arbiter/frames.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace holdfast::arbiter {

/// What an application does now.
enum class Stage : std::uint8_t {
  work,   ///< it has no operation open
  wait,   ///< it has one, and no bandwidth
  write,  ///< it has both
  idle,   ///< no process of it is connected
};
[[nodiscard]] std::string_view name_of(Stage stage);

/// What was stalled by the arbiter, by the server's clock alone: delay is the integral, over open operations, of the part of
/// its bandwidth that an application did not have; its yield is 1 - delay / age.
class Account {
 public:
  /// Begins at a date, with a delay from before.
  explicit Account(double release = 0, double delay = 0) : release_{release}, delay_{delay} {}

  /// From now on its operation has this part of its bandwidth. @param share  in [0, 1]
  void open(double now, double share);
  /// From now on it has no operation.
  void close(double now);
  [[nodiscard]] double delay(double now) const;
  [[nodiscard]] double age(double now) const { return now - release_; }
  [[nodiscard]] double release() const { return release_; }
  /// Returns 1 - delay / age, and 0 at age 0.
  [[nodiscard]] double yield(double now) const;
  /// An earlier release, of a REGISTER that came after its processes.
  void release_at(double date) { release_ = date; }

 private:
  double release_;
  double delay_;
  double since_ = 0;
  double lacking_ = 0;  // part of the bandwidth that it does not have
};

/// What operations of an application moved, for those whose volumes are not stated.
class Volumes {
 public:
  /// An operation that stated so much (kUnknownVolume: nothing) ended after so much.
  void ended(std::uint64_t stated, std::uint64_t moved);
  /// Returns how much is left of an operation: stated less moved. Where that is not known, or was exceeded, the median of the
  /// last 8, and before the first of them 1 GiB.
  [[nodiscard]] double remaining(std::uint64_t stated, std::uint64_t moved) const;
  /// Two of the last 8 moved more than twice what they stated: statements do not count until that has passed.
  [[nodiscard]] bool are_doubted() const;

 private:
  static constexpr std::size_t kKept = 8;
  struct Ended {
    double moved = 0;
    bool is_overrun = false;
  };
  std::array<Ended, kKept> last_{};
  std::size_t count_ = 0;
};

/// What an application can move, measured while what it was granted was not the limit: declaring more lowers its rank, and so
/// nothing is gained by it.
class Capability {
 public:
  /// Counts bytes that were moved under a rate.
  void moved(double now, double bytes, double rate);
  /// An operation begins or ends: what was measured so far of this stretch does not count.
  void interrupt() { is_open_ = false; }
  /// Looks at what was measured, once a minute. @returns the bandwidth that counts from now on, at most `declared`
  [[nodiscard]] double review(double now, double declared);
  [[nodiscard]] double bandwidth(double declared) const {
    return measured_ > 0 && measured_ < declared ? measured_ : declared;
  }

 private:
  bool is_open_ = false;
  double began_ = 0;
  double bytes_ = 0;
  double granted_ = 0;  // integral of the rate in the stretch
  double at_ = 0;
  double best_ = 0;       // of this minute
  double minute_ = 0;     // when it began
  bool is_free_ = false;  // some stretch of this minute was not limited by its rate
  double measured_ = 0;   // 0: nothing is known
};

/// Iteration times of one application, as Set-10 learns them where volumes need not be known: at the end of each operation that
/// followed work.
class Iterations {
 public:
  void posted(double now);
  void ended(double now, double volume, double bandwidth);
  /// Returns the set, or Pending::kUnknownSet.
  [[nodiscard]] int set() const;
  [[nodiscard]] double sum() const { return sum_; }
  [[nodiscard]] double count() const { return count_; }
  void restore(double sum, double count) {
    sum_ = sum;
    count_ = count;
  }

 private:
  double sum_ = 0;
  double count_ = 0;
  double work_ = -1;  // before the present operation; less than 0: none
  double ended_ = -1;
};

}  // namespace holdfast::arbiter
