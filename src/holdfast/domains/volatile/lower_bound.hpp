#pragma once

#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/instance.hpp"

#include <cstdint>
#include <optional>

namespace holdfast::volatile_workers {

/// Returns a makespan that no strategy falls below with these states, slots. In each iteration the data of all tasks have to be sent, and
/// in the first a program as well; then some workload W has to be done in slots in which the workers that are up could do all
/// tasks within W: not always the same workers, and nothing is lost where one goes down. The earliest end over all W is
/// taken, and the next iteration begins after it; who begins earlier never ends later. After `effort` looks at a worker the
/// iterations that are left count with what they take where everybody is up.
/// Nothing if the number of iterations is not fixed, or the states end before.
[[nodiscard]] std::optional<std::int64_t> lower_bound(const Instance& instance,
                                                      Availability& availability,
                                                      std::int64_t effort = 3'000'000);

}  // namespace holdfast::volatile_workers
