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

/// A worker as a semi-Markov process: how long it stays in a state follows any law, where it goes next depends on the
/// state it leaves alone. A Markov chain is the special case of geometric (in continuous time: exponential) stays.
namespace holdfast {

/// What was seen of the stays in one state, over all workers.
struct Stays {
  /// Complete stays exactly; those that went on when the record (or the part of it without a gap) ended right-censored.
  std::vector<Lifetime> lives;
  std::array<std::int64_t, 3> next{};  ///< how often a complete stay ended in up, reclaimed, down
  /// Stays that had begun when the record began: their age is unknown, so they are no lives.
  std::int64_t begun_before = 0;
  double seconds = 0;               ///< in this state, all stays
  double seconds_begun_before = 0;  ///< of these, in stays that are no lives

  [[nodiscard]] std::int64_t complete() const { return next[0] + next[1] + next[2]; }
};

/// Stays by state: up, reclaimed, down. Stretches of one state that touch are one stay; a gap between stretches ends what
/// is known of a stay, and what follows has an unknown age. O(stretches)
/// @param workers  their stretches in order of time, without overlap
[[nodiscard]] std::array<Stays, 3> stays_of(std::span<const WorkerHistory> workers);

/// One state of a fitted process.
struct SemiMarkovState {
  Stays stays;
  /// Pr(next state is j | the stay ends), 0 for the state itself; the shares seen. Absent where no stay was complete.
  std::optional<std::array<double, 3>> next;
  std::array<ConfidenceInterval, 3> intervals{};  ///< of `next`, 95 % each (Wilson)
  LawTable
      laws;  ///< of the length of a stay, smallest AIC first; without rows where none could be fitted
};

struct SemiMarkov {
  std::array<SemiMarkovState, 3> states;
  std::array<double, 3> seen{};  ///< share of the time in each state
  /// The same in the long run by the best laws: stationary jumps, weighted with the mean stays. Absent where a state that
  /// occurs has no law or no next state.
  std::optional<std::array<double, 3>> long_run;
};

/// Fits jumps by their shares and stays by maximum likelihood with censoring (compare_laws).
/// @param families  laws to try for the stays; empty: all
/// @returns bad_value (empty place) where no worker was seen at all
[[nodiscard]] Result<SemiMarkov> fit_semi_markov(std::span<const WorkerHistory> workers,
                                                 std::span<const LawFamily> families = {});

}  // namespace holdfast
