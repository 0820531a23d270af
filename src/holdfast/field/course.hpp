#pragma once

#include "holdfast/field/journal.hpp"
#include "holdfast/kernel/timeline.hpp"

namespace holdfast::field {

/// Returns the course of a guarded job as a schedule: work, checkpoints, recoveries and downtimes, on the guard's clock in
/// seconds. Work is lost if no checkpoint saved it before the program failed.
[[nodiscard]] Timeline course_of(const Journal& journal);

}  // namespace holdfast::field
