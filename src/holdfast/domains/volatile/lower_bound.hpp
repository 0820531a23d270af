#pragma once

#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/instance.hpp"

#include <cstdint>
#include <optional>

namespace holdfast::volatile_workers {

/// What is known of the best makespan, slots.
struct MakespanBound {
  std::int64_t slots = 0;   ///< no strategy ends before
  bool is_optimum = false;  ///< one that knows these states could end then

  friend bool operator==(const MakespanBound&, const MakespanBound&) = default;
};

/// Returns a makespan that no strategy falls below with these states. In each iteration the data of all tasks have to be sent, and
/// in the first a program as well; then one set of workers has to do some workload W in slots in which all of it are up and
/// none is down in between: the earliest end over all sets and all W, by branch and bound. The next iteration begins
/// after it; who begins earlier never ends later. Where nothing has to be sent this is the optimum.
/// Once `effort` / 100 sets were tried, an iteration counts as if the workers could be exchanged in every slot: slots
/// in which those that are up could do all tasks within W. After `effort` looks at a worker the iterations that are left
/// count with what they take where everybody is up.
/// Nothing if the number of iterations is not fixed, or the states end before.
[[nodiscard]] std::optional<MakespanBound> lower_bound(const Instance& instance,
                                                       Availability& availability,
                                                       std::int64_t effort = 3'000'000);

}  // namespace holdfast::volatile_workers
