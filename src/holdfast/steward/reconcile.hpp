#pragma once

#include "holdfast/domains/capacity/live/event.hpp"
#include "holdfast/steward/core.hpp"
#include "holdfast/steward/look.hpp"

#include <set>
#include <string>
#include <vector>

namespace holdfast::steward {

/// Returns what must have happened since the last look: the events that make the known world what is seen.
/// @param up    nodes on which jobs can start
/// @param said  takes the numbers of jobs that are left alone
[[nodiscard]] std::vector<capacity::LiveEvent> events_of(const State& state, const Look& look,
                                                         const Charge& charge,
                                                         const std::set<std::string>& up,
                                                         Said& said);

/// Returns the length that a job says it has: that of its comment ("length=90"), or else its limit. Seconds.
[[nodiscard]] std::int64_t length_of(const SeenJob& job);

/// Returns why a job that waits is left alone; empty if it is cared for.
[[nodiscard]] std::string_view why_left_alone(const SeenJob& job, const State& state,
                                              const Charge& charge);

}  // namespace holdfast::steward
