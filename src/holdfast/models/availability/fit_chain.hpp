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

/// States of one worker in slots of equal length, one letter (u, r, d) each. A slot has the worst
/// state that occurs in it: what was on a worker that went down for a second is lost. Times that
/// were not observed count as down.
/// @param from   start of the first slot, on the clock of the history; seconds
/// @param slot   length of a slot, seconds, > 0
[[nodiscard]] std::string slot_states(const WorkerHistory& history, double from, double slot,
                                      std::int64_t slots);

/// The same for the slots in which the worker was watched from begin to end: one string of letters for each stretch of
/// them without a gap, so that a machine that came late was not down before.
/// @param slots  of the whole record; watched ones after them are left out
[[nodiscard]] std::vector<std::string> watched_slot_states(const WorkerHistory& history,
                                                           double from, double slot,
                                                           std::int64_t slots);

/// How often a chain went from one state to another.
using TransitionCounts = std::array<std::array<std::int64_t, 3>, 3>;
[[nodiscard]] TransitionCounts count_transitions(std::string_view states);

/// Holding times of one state over all workers against geometric ones of the same means.
struct HoldingTimes {
  std::int64_t runs = 0;  ///< complete ones
  /// Sum of squared distances to the worker's mean over what geometric times would give: 1 for
  /// geometric, more where times are more spread (many short and some very long).
  double dispersion = 1;
  double score = 0;  ///< how many standard errors the dispersion is from 1
  /// True where the Markov chain is doubtful: |score| > 4 from at least 30 runs.
  [[nodiscard]] bool is_suspicious() const;
};

struct FittedChains {
  std::vector<TransitionMatrix> workers;
  TransitionMatrix pool{};                                          ///< all workers together
  TransitionCounts counts{};                                        ///< of the pool
  std::array<std::array<std::array<double, 2>, 3>, 3> intervals{};  ///< of the pool, 95 % each
  double log_likelihood = 0;  ///< of all transitions, by each worker's own chain
  std::array<HoldingTimes, 3> holding;
};

/// Maximum likelihood with smoothing. The pool's rows have half a transition added to each state
/// that occurs at all (Dirichlet(1/2)); a worker's rows have the pool's row added with the weight of
/// 3/2 transitions, so that a worker that was seen little is like the pool. A row of a state that
/// never occurs leads up.
/// @param states  one string of letters per worker; not empty
[[nodiscard]] FittedChains fit_chains(std::span<const std::string> states);

/// The chain of one worker, given the pool's.
[[nodiscard]] TransitionMatrix smoothed(const TransitionCounts& counts,
                                        const TransitionMatrix& pool);

}  // namespace holdfast
