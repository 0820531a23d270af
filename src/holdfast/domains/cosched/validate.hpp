#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/cosched/instance.hpp"
#include "holdfast/domains/cosched/simulate.hpp"

namespace holdfast::cosched {

/// An independent check that what happened obeys the model: pairs only, never more processors than there are, each
/// task's intervals follow one another without a gap from 0 to its finish, and no work from nothing: in its intervals
/// a task has had enough processor time, moves and checkpoints included, to do all of its work. Does not share code
/// with the simulator beyond the formulas of one task.
/// @returns bad_value naming the task and the instant
[[nodiscard]] Status validate(const Instance& instance, const Run& run, const History& history);

}  // namespace holdfast::cosched
