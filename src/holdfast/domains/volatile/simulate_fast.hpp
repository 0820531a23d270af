#pragma once

#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/decision_trie.hpp"
#include "holdfast/domains/volatile/metrics.hpp"
#include "holdfast/domains/volatile/strategy.hpp"

namespace holdfast::volatile_workers {

/// Returns the same results as simulate(), without a step for each slot: from one slot in which something
/// is decided or changes to the next. Configurations from scratch come from a trie of decisions.
///
/// Between two changes of the states a passive rule decides nothing. A proactive one need not look
/// again while the same workers are up with the same programs: its alternative is the same, and what
/// runs only gains by its progress (P grows, E and T shrink). By Y it gains relatively as long as it
/// is the more likely one; else the slot in which the alternative overtakes it is known.
/// Tests compare every metric with simulate().
///
/// @param trie  of the strategy's greedy rule; null if it has none (random, baselines)
/// @pre DecisionTrie::fits(instance)
[[nodiscard]] Metrics simulate_fast(const Instance& instance, const Strategy& strategy,
                                    DecisionTrie* trie, Availability& availability);

}  // namespace holdfast::volatile_workers
