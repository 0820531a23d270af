#pragma once

#include "holdfast/kernel/availability.hpp"

#include <cstdint>
#include <optional>
#include <span>

/// Whether a machine that has come back is worth a restart. An elastic launcher, such as torchrun, stops all processes when a
/// machine joins, and starts them from their last checkpoint on all machines; it does the same when one leaves. So a machine
/// joins for nothing at the next departure, and at a price before.
namespace holdfast::volatile_workers {

/// How often a machine left, and for how long it was up, by a record.
struct Departures {
  std::int64_t count = 0;  ///< ends of times up that were seen
  double up = 0;           ///< seconds

  Departures& operator+=(const Departures& other) {
    count += other.count;
    up += other.up;
    return *this;
  }
};
[[nodiscard]] Departures departures_of(const WorkerHistory& history);

/// Returns the rate of departures of one machine, per second: its own, drawn towards that of all machines with the weight of 3/2
/// departures, as fit_chains() draws chains. @pre all.count > 0 and all.up > 0
[[nodiscard]] double departure_rate(const Departures& own, const Departures& all);

/// A running set of machines, and one that has come back.
struct Joining {
  std::int64_t running = 1;   ///< machines that compute, n >= 1
  double running_rate = 0;    ///< rate of departures of all of them together, per second
  double candidate_rate = 0;  ///< rate of departures of the one that has come back, per second
  double added = 1;    ///< what it adds to the speed, in machines; at most 1 if work scales well
  double restart = 0;  ///< seconds from the stop of all processes until all compute again
  std::optional<double> join = {};  ///< the same where a machine joins; absent: a restart
  double interval = 0;              ///< seconds of work from one checkpoint to the next, > 0
  double since_checkpoint =
      0;  ///< seconds of work that no checkpoint holds yet, below the interval
};

/// What a choice brings until the next departure, after which all machines that are up join for nothing.
struct JoiningChoice {
  double work = 0;  ///< machine-seconds of work that checkpoints will hold
  double time = 0;  ///< seconds until that departure, and the restart after it
};
struct Admission {
  JoiningChoice keep, admit;
  /// Machine-seconds of work per second in the long run by the better of the two sets: what a second is worth.
  double rate = 0;
  /// Machine-seconds by which admitting it is ahead.
  [[nodiscard]] double gain() const {
    return admit.work - keep.work - rate * (admit.time - keep.time);
  }
};

/// Values both choices, for exponential times up. With rate L and interval I, a set that begins at a checkpoint completes
/// 1/(e^(L I) - 1) intervals before a departure on average; what is not complete is lost.
[[nodiscard]] Admission value_admission(const Joining& joining);

/// Returns when admitting it is best, in seconds from now: 0, or the time of the next checkpoint, after which no work is lost; it
/// comes only if nothing leaves before. Nothing if it is best not to admit it before the next departure.
[[nodiscard]] std::optional<double> when_to_admit(const Joining& joining);

}  // namespace holdfast::volatile_workers
