#pragma once

#include "holdfast/domains/sketch/failures.hpp"
#include "holdfast/domains/sketch/instance.hpp"
#include "holdfast/domains/sketch/metrics.hpp"
#include "holdfast/kernel/timeline.hpp"

namespace holdfast::sketch {

/// Checks that a run obeys the model, from its timeline and the failures alone: rows follow each other without a gap,
/// what counts as done was struck by nothing, what was lost was lost at a failure, the work adds up, and the metrics say
/// what the rows say.
/// @returns the first violation, with the number of its row
[[nodiscard]] Status validate(const Instance& instance, Failures failures, const Timeline& timeline,
                              const Metrics& metrics);

}  // namespace holdfast::sketch
