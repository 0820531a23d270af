#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"
#include "holdfast/arbiter/frames.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace holdfast::arbiter {

/// The current activity of an application.
enum class Stage : std::uint8_t {
  work,   ///< no operation is open
  wait,   ///< an operation is open but has no bandwidth
  write,  ///< an operation is open and has bandwidth
  idle,   ///< no process of it is connected
};
[[nodiscard]] std::string_view name_of(Stage stage);

/// The time for which the arbiter stalled an application, by the server's clock alone. The delay is the integral, over open
/// operations, of the share of its bandwidth that the application did not have; its yield is 1 - delay / age.
class Account {
 public:
  /// Begins at a date, with an earlier delay in seconds.
  explicit Account(double release = 0, double delay = 0) : release_{release}, delay_{delay} {}

  /// Sets the share of its bandwidth that its operation has from now on. @param share  in [0, 1]
  void open(double now, double share);
  /// Records that it has no operation from now on.
  void close(double now);
  [[nodiscard]] double delay(double now) const;
  [[nodiscard]] double age(double now) const { return now - release_; }
  [[nodiscard]] double release() const { return release_; }
  /// Returns 1 - delay / age, and 0 at age 0.
  [[nodiscard]] double yield(double now) const;
  /// Sets an earlier release, for a REGISTER that came after its processes.

 private:
  double release_;
  double delay_;
  double since_ = 0;
  double lacking_ = 0;  // share of the bandwidth that it does not have
};

/// The volumes that operations of an application moved, used for operations that do not state theirs.
class Volumes {
 public:
  /// Records the end of an operation with its stated volume (kUnknownVolume: none) and the bytes that it moved.
  void ended(std::uint64_t stated, std::uint64_t moved);
  /// Returns the bytes left of an operation: stated minus moved. If the statement is missing or was exceeded, it uses the
  /// median of the last 8 volumes, and 1 GiB before the first one.
  [[nodiscard]] double remaining(std::uint64_t stated, std::uint64_t moved) const;
  /// Returns true if two of the last 8 operations moved more than twice their stated volumes. Statements are then ignored.
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

/// The bandwidth that an application can use, measured while its grant was not the limit. Declaring more lowers its rank, so it
/// gains nothing.
class Capability {
 public:
  /// Counts bytes that were moved since the last call. The rate (bytes/s) was the same for all of that time.
  void moved(double now, double bytes, double rate);
  /// Records that the rate changes, or that nothing is moved for a while. What is moved until the next call of moved() is not
  /// counted, because part of it may have been moved before: a pause must not look like a slow program.
  void interrupt() { is_counting_ = false; }
  /// Evaluates the measurements once a minute. @returns the bandwidth that counts from now on, at most `declared`
  [[nodiscard]] double review(double now, double declared);
  [[nodiscard]] double bandwidth(double declared) const {
    return measured_ > 0 && measured_ < declared ? measured_ : declared;
  }

 private:
  bool is_counting_ = false;
  double at_ = 0;         // last call of moved()
  double bytes_ = 0;      // of this measurement
  double seconds_ = 0;    // of this measurement, pauses left out
  double granted_ = 0;    // integral of the rate over these seconds
  double best_ = 0;       // largest measured bandwidth of this minute
  double minute_ = 0;     // start of this minute
  bool is_free_ = false;  // true: in some measurement of this minute the rate was not the limit
  double measured_ = 0;   // 0: not measured yet
};

/// The iteration times of one application, as Set-10 learns them if volumes are unknown: at the end of each operation that
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
  double work_ = -1;  // work before the current operation; less than 0: none
  double ended_ = -1;
};

}  // namespace holdfast::arbiter
