#pragma once

#include "holdfast/algorithms/completions.hpp"
#include "holdfast/algorithms/pending.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace holdfast {

/// What a list schedule came to.
struct ListOutcome {
  double end = 0;  ///< when the last attempt completed; the start where there was none
  /// Fewest processors that were busy at any instant between the start and the end: the p_min of
  /// Lemma 1.
  std::uint32_t least_busy = 0;
};

/// List scheduling: at the start and at each instant at which something completes, (1) everything
/// that completes at exactly this instant gives its processors back, (2) one pass over what waits,
/// in order of slots, starts all that fits. Ends when nothing runs.
///
/// The client knows what slots are; all its functions are called at the instant `now`:
///
///   double start(std::uint32_t slot, double now)
///       a slot starts; returns when it will complete, >= now
///   std::uint32_t processors(std::uint32_t slot)
///       what a slot that completes gives back
///   void complete(Pending& pending, std::uint32_t slot, double now)
///       one completion; those of one instant come in no particular order; may insert what waits
///   void settle(Pending& pending, double now)
///       after all completions of an instant; for clients to whom their order matters
///
/// Every slot that waits must fit on the machine. @pre running is empty, or holds slots that are not
/// jobs: a client may push such a slot, whose processors() is 0, to be woken at a time of its own.
/// Cost: O(log running) per completion, O(log slots) per start and insertion; nothing is allocated
/// once the trees have grown. Source: Perotin's thesis, Algorithms 1 and 3; ties as said above.
template <class Pending, class Client>
ListOutcome list_schedule(std::uint32_t processors, Pending& pending, Completions& running,
                          Client& client, double start = 0) {
  ListOutcome out{.end = start, .least_busy = processors};
  std::uint32_t free = processors;
  double now = start;
  for (;;) {
    for (std::uint32_t slot; (slot = pending.first_fit(free)) != kNoSlot;) {
      free -= pending.take(slot);
      running.push(client.start(slot, now), slot);
    }
    if (running.empty()) break;
    if (running.next() > now) out.least_busy = std::min(out.least_busy, processors - free);
    now = running.next();
    do {
      const std::uint32_t slot = running.pop();
      free += client.processors(slot);
      client.complete(pending, slot, now);
    } while (!running.empty() && running.next() == now);
    client.settle(pending, now);
  }
  assert(free == processors && pending.empty());
  out.end = now;
  if (out.end == start) out.least_busy = 0;
  return out;
}

}  // namespace holdfast
