#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/kernel/availability.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// A worker as a semi-Markov process: a stay in a state can have any law, and the next state depends only on the state that the
/// worker leaves. A Markov chain is the special case of geometric (in continuous time exponential) stays.
namespace holdfast {

/// The observed stays in one state, over all workers.
struct Stays {
  /// Lengths of stays in seconds. Complete stays are exact; stays that were still going on when the record (or its part without
  /// a gap) ended are right-censored.
  std::vector<Lifetime> lives;
  std::array<std::int64_t, 3> next{};  ///< how often a complete stay ended in up, reclaimed, down
  /// Stays that had already begun when the record began. Their ages are unknown, so they are not in `lives`.
  std::int64_t begun_before = 0;
  double seconds = 0;  ///< time in this state, seconds, all stays
  /// The part of these seconds in stays that had already begun when the record began.
  double seconds_begun_before = 0;

  /// Returns the number of complete stays.
  [[nodiscard]] std::int64_t complete() const { return next[0] + next[1] + next[2]; }
};

/// Returns the stays by state: up, reclaimed, down. Intervals of one state that touch form one stay. After a gap between
/// intervals, the age of the next stay is unknown. Cost: O(intervals).
/// @param workers  histories whose intervals are in order of time, without overlap
[[nodiscard]] std::array<Stays, 3> stays_of(std::span<const WorkerHistory> workers);

/// One state of a fitted process.
struct SemiMarkovState {
  Stays stays;  ///< the observed stays in the state
  /// The observed probabilities that the next state is j when the stay ends (0 for the state itself). Absent if no stay was
  /// complete.
  std::optional<std::array<double, 3>> next;
  std::array<ConfidenceInterval, 3> intervals{};  ///< 95 % intervals of `next` (Wilson)
  /// Laws of the length of a stay, smallest AIC first; without rows if none could be fitted.
  LawTable laws;
};

/// A fitted process. States are in the order up, reclaimed, down.
struct SemiMarkov {
  std::array<SemiMarkovState, 3> states;  ///< the states: up, reclaimed, down
  std::array<double, 3> seen{};           ///< observed share of the time in each state
  /// The same shares in the long run, computed from the best laws: stationary jumps weighted with the mean stays. Absent if a
  /// state that occurs has no law or no next state.
  std::optional<std::array<double, 3>> long_run;
};

/// Fits jumps by their shares, and stays by maximum likelihood with censoring (compare_laws).
/// @param families  laws to try for the stays; empty: all
/// @returns bad_value (empty place) if no worker was observed at all
[[nodiscard]] Result<SemiMarkov> fit_semi_markov(std::span<const WorkerHistory> workers,
                                                 std::span<const LawFamily> families = {});

}  // namespace holdfast
