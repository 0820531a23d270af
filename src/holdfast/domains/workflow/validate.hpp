#pragma once

#include "holdfast/domains/workflow/instance.hpp"
#include "holdfast/domains/workflow/simulate.hpp"

#include <span>

namespace holdfast::workflow {

/// Checks a run against the model, independently of the simulator that made it: every task runs once, after its parents, no
/// later and no sooner than the rules say, with no more processors than there are, and for as long as its segments and failures
/// explain. Returns the first rule that is broken.
/// @param tasks  in any order
[[nodiscard]] Status validate(const Instance& instance, std::span<const TaskRun> tasks);

}  // namespace holdfast::workflow
