#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"
#include "holdfast/models/resilience/node_pool.hpp"

#include <memory>

namespace holdfast::checkpoint {

/// Returns the pool of an instance with spares or repairs: drawn from its laws, or given by its events. Lives, repairs and their
/// outcomes have a stream for each node, and choices one of their own, so that a field that is not used draws nothing.
/// In a replay a draw decides which nodes of the log are those of the job, and when the job starts.
///
/// Otherwise every node is up when the job starts. Without ages they have those of nodes that were renewed at once at each failure since
/// the platform's birth; ages that differ are dealt to nodes and spares at random.
/// @param law  the instance's law, tabulated; null if it has none
/// @param key  seed, instance and scenario of the draw
/// @pre instance.platform.has_pool()
[[nodiscard]] std::unique_ptr<NodePool> make_pool(const Instance& instance,
                                                  std::shared_ptr<const TabulatedLaw> law,
                                                  const StreamKey& key);

/// Returns the date of the recorded window at which the job of a draw starts, in seconds from its begin: any that leaves time
/// for its work. @pre instance.recorded
[[nodiscard]] double replay_start(const Instance& instance, const StreamKey& key);

}  // namespace holdfast::checkpoint
