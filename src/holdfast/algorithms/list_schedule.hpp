#pragma once

#include "holdfast/algorithms/completions.hpp"
#include "holdfast/algorithms/pending.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace holdfast {

/// The result of a list schedule.
struct ListOutcome {
  double end = 0;  ///< time at which the last attempt completed; the start if there was none
  /// The smallest number of processors that were busy at any instant between the start and the end: p_min in Lemma 1.
  std::uint32_t least_busy = 0;
};

/// List scheduling. At the start, and whenever something completes: (1) everything that completes at exactly this instant gives
/// its processors back; (2) one pass over the waiting slots, in order, starts every slot that fits. The schedule ends when
/// nothing runs.
///
/// The client knows what slots are. All its functions are called at the instant `now`:
///
///   double start(std::uint32_t slot, double now)
///     starts a slot; returns its completion time, >= now
///   std::uint32_t processors(std::uint32_t slot)
///     the processors that a completing slot gives back
///   void complete(Pending& pending, std::uint32_t slot, double now)
///     handles one completion; completions of one instant come in no particular order; may insert waiting slots
///   void settle(Pending& pending, double now)
///     called after all completions of an instant, for clients to whom their order matters
///
/// Every waiting slot must fit on the machine. @pre running is empty, or holds slots that are not jobs: a client may push a
/// slot whose processors() is 0, to be woken at a given time. Cost: O(log running) per completion, O(log slots) per start and
/// insertion; nothing is allocated once the trees have grown. Source: Perotin's thesis, Algorithms 1 and 3; ties as described
/// above.
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
