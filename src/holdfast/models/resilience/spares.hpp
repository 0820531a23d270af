#pragma once

#include "holdfast/models/resilience/segment.hpp"

#include <cstdint>
#include <functional>
#include <limits>

/// How often a job lacks a node, in the long run, if its failed nodes are repaired and spare nodes step in meanwhile.
namespace holdfast {

/// A job's nodes, its spare nodes, and their means. The formulas are exact for exponential lives and repairs; where spares fail
/// like the others and nobody queues for a repair, for all laws with these means.
struct SpareNodes {
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

  std::int64_t nodes = 1;   ///< N >= 1, the nodes that the job needs
  std::int64_t spares = 0;  ///< S >= 0
  double life = 1;          ///< mean time up of a node in use, seconds
  double repair =
      1;  ///< mean time from the beginning of a repair to the node's return, seconds, > 0
  std::int64_t repairers = kUnlimited;  ///< m >= 1, repairs at the same time
  double idle_ageing = 1;  ///< failures of an idle node, per failure of one in use: 1 hot, 0 cold
};

/// What the steady state of such a platform is.
struct SpareShares {
  double full = 1;             ///< A, share of the time in which no node is lacking
  double idle = 0;             ///< mean number of nodes that are up and not in use
  double shortage_rate = 0;    ///< times per second at which a full job loses its last reserve
  double shortage_length = 0;  ///< mean length of one shortage, seconds
  double none_idle = 0;        ///< share of the full time in which the next failure is a shortage
};

/// Returns the steady state: k nodes are down with probability pi(k), and cuts between k and k + 1 balance. Cost: in proportion
/// to the standard deviation of k.
[[nodiscard]] SpareShares shares_of(const SpareNodes& platform);

/// Returns the probability that at most `down` nodes are down.
[[nodiscard]] double share_with_at_most(const SpareNodes& platform, std::int64_t down);

/// Returns the share of the time with all nodes to which more and more spares tend: 1, unless the repairers cannot keep up.
/// With idle nodes that age it is the share of an M/M/infinity queue of repaired nodes.
[[nodiscard]] double most_full_share(const SpareNodes& platform);

/// Returns the useful share of the whole time (efficiency) with checkpoints after `period` seconds of work. It is exact for
/// exponential lives if nothing is lost in a downtime; else the downtime that runs while the job waits anyway is left out of
/// the downtime on average, which errs by about 1e-3.
/// @param costs     C, R, D in seconds; D is at least the time that a spare takes to be ready
/// @param infinite  true: a spare is always there
[[nodiscard]] double spare_efficiency(const SpareNodes& platform, double period,
                                      ResilienceCosts costs, bool infinite = false);

/// What a job is worth that goes on with fewer nodes where a node is lacking.
struct SmallerJob {
  std::int64_t least = 1;                            ///< nodes with which it goes on
  std::function<double(std::int64_t nodes)> useful;  ///< useful share of the time on that many
  double join = 0;  ///< time that it loses when it takes a node back, seconds
};

/// The shares of time of a number of spares.
struct SmallerShares {
  double efficiency = 0;  ///< useful share of the whole time
  double works = 0;       ///< share of the time in which it has enough nodes
};

/// Returns them, as if each number of nodes lasted for long: the sum of pi(k) useful(n), less the time of joins, of which each repair that
/// ends in a shortage is one. It errs by some 0.3 % upwards.
[[nodiscard]] SmallerShares smaller_shares(const SpareNodes& platform, const SmallerJob& job);

}  // namespace holdfast
