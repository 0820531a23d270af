#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/metrics.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/schedule.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"

#include <span>
#include <vector>

namespace holdfast::checkpoint {

/// A failure, as the run met it.
struct Strike {
  double date = 0;                 ///< seconds from the job's start
  Level survivor = Level::global;  ///< the least checkpoint that it leaves
};

/// Checks that a run obeys the model, from its schedule and the dates of the failures alone: no step of the simulator
/// is repeated. Rows follow each other without a gap; nothing that counts as done was struck; what was struck was lost
/// at the date of a failure; downtimes, recoveries and checkpoints have their lengths; the work adds up; the metrics
/// say what the rows say.
/// @param failures  all up to the run's end, by increasing date
/// @param replans   the strategy pays instance.planning at each recovery
/// @returns the first violation, with the number of its row
[[nodiscard]] Status validate(const Instance& instance, bool replans,
                              std::span<const Strike> failures, std::span<const ScheduleRow> rows,
                              const Metrics& metrics);
/// Those that a draw has for the instance's job. @param end  date, in seconds from the job's start
[[nodiscard]] std::vector<Strike> strikes_until(double end, const Instance& instance,
                                                Realisation& realisation);

}  // namespace holdfast::checkpoint
