#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/metrics.hpp"
#include "holdfast/domains/checkpoint/schedule.hpp"

#include <span>

namespace holdfast::checkpoint {

/// Checks that a run obeys the model, from its schedule and the dates of the failures alone: no step of the simulator
/// is repeated. Rows follow each other without a gap; nothing that counts as done was struck; what was struck was lost
/// at the date of a failure; downtimes, recoveries and checkpoints have their lengths; the work adds up; the metrics
/// say what the rows say.
/// @param failures  dates of all failures up to the run's end, in seconds from the job's start, increasing
/// @param replans   the strategy pays instance.planning at each recovery
/// @returns the first violation, with the number of its row
[[nodiscard]] Status validate(const Instance& instance, bool replans,
                              std::span<const double> failures, std::span<const ScheduleRow> rows,
                              const Metrics& metrics);

}  // namespace holdfast::checkpoint
