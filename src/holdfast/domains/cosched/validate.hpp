#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/cosched/instance.hpp"
#include "holdfast/domains/cosched/simulate.hpp"

namespace holdfast::cosched {

/// Checks independently that a run follows the model: allocations are pairs, there are never more processors in use than exist,
/// the intervals of each task follow one another without a gap from 0 to its finish, and in these intervals a task has enough
/// processor time for all of its work, including moves and the checkpoints after them. It shares only the formulas of one task
/// with the simulator.
/// @returns bad_value that names the task and the instant
[[nodiscard]] Status validate(const Instance& instance, const Run& run, const History& history);

}  // namespace holdfast::cosched
