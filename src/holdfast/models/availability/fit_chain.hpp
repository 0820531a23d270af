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

/// Returns the states of one worker in slots of equal length, one letter (u, r, d) each. A slot has the worst state that
/// occurs in it, because what was on a worker that went down for a second is lost. Times that were not observed count as
/// down.
/// @param from   start of the first slot, on the clock of the history; seconds
/// @param slot   length of a slot, seconds, > 0
[[nodiscard]] std::string slot_states(const WorkerHistory& history, double from, double slot,
                                      std::int64_t slots);

/// Returns these states for the slots in which the worker was observed from beginning to end: one string of letters for each
/// run of such slots without a gap, so that a machine that came late does not count as down before.
/// @param slots  number of slots in the whole record; later ones are left out
[[nodiscard]] std::vector<std::string> watched_slot_states(const WorkerHistory& history,
                                                           double from, double slot,
                                                           std::int64_t slots);

/// How often a chain went from one state (row) to another (column).
using TransitionCounts = std::array<std::array<std::int64_t, 3>, 3>;
/// Counts the transitions in a string of letters.
[[nodiscard]] TransitionCounts count_transitions(std::string_view states);

/// Holding times of one state over all workers against geometric ones of the same means.
struct HoldingTimes {
  std::int64_t runs = 0;  ///< complete stays in the state
  /// The sum of squared distances to the worker's mean over what geometric times would give: 1 for geometric times, more if
  /// times are more spread (many short ones and some very long).
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
  double log_likelihood = 0;  ///< log-likelihood of all transitions by each worker's own chain
  std::array<HoldingTimes, 3> holding;  ///< holding times by state: up, reclaimed, down
};

/// Fits chains by maximum likelihood with smoothing. The pool's rows have half a transition added to each state
/// that occurs at all (Dirichlet(1/2)); a worker's rows have the pool's row added with the weight of
/// 3/2 transitions, so that a worker that was observed little is like the pool. A row of a state that
/// never occurs leads up.
/// @param states  one string of letters per worker; not empty
[[nodiscard]] FittedChains fit_chains(std::span<const std::string> states);

/// Returns the chain of one worker, given the pool's.
[[nodiscard]] TransitionMatrix smoothed(const TransitionCounts& counts,
                                        const TransitionMatrix& pool);

}  // namespace holdfast
