#pragma once

#include "holdfast/domains/checkpoint/outlook.hpp"

#include <cstdint>
#include <span>

namespace holdfast::checkpoint {

/// What a job may know when it (re)starts work. No random source, no future failure.
struct State {
  double work_left = 0;          ///< seconds, > 0
  std::int64_t checkpoints = 0;  ///< segments that are safe
  Outlook& outlook;              ///< the failures to expect, from the law and the past failures
};

/// A number of checkpoints that a strategy compared with others before it decided.
struct Candidate {
  std::int64_t checkpoints = 0;
  double expected_work = 0;  ///< seconds saved before the next failure (or the end)
  double expected_time = 0;  ///< seconds until the next failure (or the end)
};

/// Decides how much work to do before each of the next checkpoints. Asked when the job starts, after every recovery,
/// and when all that it decided is done.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// The work done since now at each of the next checkpoints, in seconds: increasing, above 0, at most
  /// state.work_left, which the last one equals exactly if the job ends there. Valid until the next call.
  [[nodiscard]] virtual std::span<const double> decide(const State& state) = 0;

  /// The numbers of checkpoints compared by the last decision, in the order of trial; empty for most strategies.
  [[nodiscard]] virtual std::span<const Candidate> candidates() const { return {}; }
  /// The time step on which it plans and in which it counts expected times, in seconds; 0 for a continuous plan.
  [[nodiscard]] virtual double quantum() const { return 0; }
};

}  // namespace holdfast::checkpoint
