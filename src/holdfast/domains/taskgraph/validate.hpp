#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/schedule.hpp"

#include <cstdint>
#include <span>

namespace holdfast::taskgraph {

/// Whether processors may idle while a task waits that would fit on them.
enum class Idling : std::uint8_t {
  allowed,    ///< a task may wait although it fits (as-given, ect)
  forbidden,  ///< list scheduling: no waiting task fits
};

/// Checks a schedule against the model, without sharing code with the simulators. Every task has f_j + 1 attempts in sequence,
/// all but the last failed, each with the task's duration on its processors, or until it is struck. No task starts before it is released and its parents have completed,
/// and there are never more processors in use than exist. With Idling::forbidden, no available task fits on the free processors
/// after the starts at time 0 and at each completion.
/// @param failures  [n] failed attempts, or empty for none
/// @param strikes   what strikes the attempts instead; may be null
/// @returns success, or `infeasible` with the first rule that is broken; `where` is "/schedule/ROW"
[[nodiscard]] Status validate(const Instance& instance, std::span<const std::int64_t> failures,
                              const Schedule& schedule, Idling idling,
                              const Strikes* strikes = nullptr);

}  // namespace holdfast::taskgraph
