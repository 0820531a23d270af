#pragma once

#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/instance.hpp"

#include <cstdint>
#include <optional>

namespace holdfast::volatile_workers {

/// What is known about the best makespan.
struct MakespanBound {
  std::int64_t slots = 0;   ///< no strategy ends before this slot
  bool is_optimum = false;  ///< true: a strategy that knows these states could end then

  friend bool operator==(const MakespanBound&, const MakespanBound&) = default;
};

/// Returns a makespan that no strategy can beat with these states. In each iteration the data of all tasks have to be sent, and
/// in the first one a program as well. Then one set of workers has to do some workload W in slots in which all of them are up,
/// and none is down in between. The bound is the earliest end over all sets and all W, found by branch and bound. The next
/// iteration begins after it; beginning earlier never means ending later. If nothing has to be sent, the bound is the optimum.
/// After `effort` / 100 sets, an iteration is bounded as if the workers could be exchanged in every slot: the bound then counts
/// the slots in which the workers that are up could do all tasks within W. After `effort` accesses to a worker, each remaining
/// iteration counts with the time that it takes if all workers are up. Returns nothing if the number of iterations is not
/// fixed, or if the states end before the bound.
[[nodiscard]] std::optional<MakespanBound> bound_of_one_transfer(const Instance& instance,
                                                                 Availability& availability,
                                                                 std::int64_t effort = 3'000'000);

/// Returns the larger of that bound and transfer_bound().
[[nodiscard]] std::optional<MakespanBound> lower_bound(const Instance& instance,
                                                       Availability& availability,
                                                       std::int64_t effort = 3'000'000);

}  // namespace holdfast::volatile_workers
