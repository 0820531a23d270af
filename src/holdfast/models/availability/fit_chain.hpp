#pragma once

#include "holdfast/kernel/availability.hpp"
#include "holdfast/models/availability/chain.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// Returns the states of one worker in slots of equal length, as one letter (u, r, d) each. A slot gets the worst state that
/// occurs in it, because a worker that was down for a second has lost everything on it. Times without observation count as
/// down.
/// @param from   start of the first slot, on the clock of the history; seconds
/// @param slot   length of a slot, seconds, > 0
[[nodiscard]] std::string slot_states(const WorkerHistory& history, double from, double slot,
                                      std::int64_t slots);

/// Returns these states for the slots in which the worker was observed from beginning to end: one string of letters for each
/// run of slots without a gap. So a machine that joined late does not count as down before it joined.
/// @param slots  number of slots in the whole record; later ones are left out
[[nodiscard]] std::vector<std::string> watched_slot_states(const WorkerHistory& history,
                                                           double from, double slot,
                                                           std::int64_t slots);

/// How often a chain went from one state (row) to another (column).
using TransitionCounts = std::array<std::array<std::int64_t, 3>, 3>;
/// Counts the transitions in a string of letters.
[[nodiscard]] TransitionCounts count_transitions(std::string_view states);

/// The holding times of one state over all workers, compared with geometric ones of the same means.
struct HoldingTimes {
  std::int64_t runs = 0;  ///< complete stays in the state
  /// The sum of squared distances to the worker's mean, divided by what geometric times would give: 1 for geometric times, more
  /// if the times are more spread (many short and some very long ones).
  double dispersion = 1;
  double score = 0;  ///< how many standard errors the dispersion is from 1
  /// Returns true if the Markov chain is doubtful: |score| > 4 from at least 30 runs.
  [[nodiscard]] bool is_suspicious() const;
};

/// The chains fitted to several workers.
struct FittedChains {
  std::vector<TransitionMatrix> workers;  ///< chains, one per worker
  TransitionMatrix pool{};                ///< chain of all workers together
  TransitionCounts counts{};              ///< transitions of the pool
  /// 95 % intervals of the pool's probabilities.
  std::array<std::array<std::array<double, 2>, 3>, 3> intervals{};
  double log_likelihood = 0;  ///< log-likelihood of all transitions under each worker's own chain
  std::array<HoldingTimes, 3> holding;  ///< holding times by state: up, reclaimed, down
};

/// Fits chains by maximum likelihood with smoothing. In the pool's rows, half a transition is added to each state that occurs
/// at all (Dirichlet(1/2)). In a worker's rows, the pool's row is added with the weight of 3/2 transitions, so that a worker
/// with few observations resembles the pool. The row of a state that never occurs leads to up.
/// @param states  one string of letters per worker; not empty
[[nodiscard]] FittedChains fit_chains(std::span<const std::string> states);

/// Returns the chain of one worker, given the pool's.
[[nodiscard]] TransitionMatrix smoothed(const TransitionCounts& counts,
                                        const TransitionMatrix& pool);

}  // namespace holdfast
