#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/schedule.hpp"

#include <cstdint>
#include <span>

namespace holdfast::taskgraph {

enum class Idling : std::uint8_t {
  allowed,    ///< a task may wait although it fits (as-given, ect)
  forbidden,  ///< list scheduling: whatever waits does not fit
};

/// Checks a schedule against the model and shares no code with the simulators: every task has its
/// attempts f_j + 1 in sequence, all but the last failed, each of the task's duration on its
/// processors; no task starts before its parents have completed; never more processors than there
/// are. With Idling::forbidden also: after the starts of an instant at which something completed
/// (and of time 0), no available task fits in what is free.
/// @param failures  [n], or empty for none
/// @returns success, or `infeasible` with the first rule that is broken; `where` is "/schedule/ROW"
[[nodiscard]] Status validate(const Instance& instance, std::span<const std::int64_t> failures,
                              const Schedule& schedule, Idling idling);

}  // namespace holdfast::taskgraph
