#pragma once

#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/decision_trie.hpp"
#include "holdfast/domains/volatile/metrics.hpp"
#include "holdfast/domains/volatile/strategy.hpp"

namespace holdfast::volatile_workers {

/// Returns the same results as simulate(), but jumps from one slot in which something is decided or changes to the next.
/// Configurations from scratch come from a trie of decisions.
///
/// Between two changes of the states, a passive rule decides nothing. A proactive rule need not decide again while the same
/// workers are up with the same programs: its alternative stays the same, and the running configuration only gains by its
/// progress (P grows, E and T shrink). With Y it gains relative to the alternative as long as it is the more likely one;
/// otherwise the slot in which the alternative overtakes it can be computed. Tests compare every metric with simulate().
///
/// @param trie  for the strategy's greedy rule; null if it has none (random, baselines)
/// @pre DecisionTrie::fits(instance)
[[nodiscard]] Metrics simulate_fast(const Instance& instance, const Strategy& strategy,
                                    DecisionTrie* trie, Availability& availability);

}  // namespace holdfast::volatile_workers
