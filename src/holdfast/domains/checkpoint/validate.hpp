#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/metrics.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/schedule.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"

#include <span>
#include <vector>

namespace holdfast::checkpoint {

/// A failure during a run.
struct Strike {
  double date = 0;                 ///< seconds from the job's start
  Level survivor = Level::global;  ///< lowest level whose checkpoints survive it
  bool is_lacking = false;         ///< a node of the job is lacking or not ready just before it
};

/// Checks that a run follows the model, from its schedule and the dates of the failures alone, without simulating it again.
/// Rows follow each other without a gap; completed activities were not struck; struck ones were lost at the date of a failure;
/// downtimes, recoveries and checkpoints have their lengths; the work adds up; the metrics agree with the rows.
/// @param failures  all failures up to the run's end, by increasing date
/// @param replans   true: the strategy pays instance.planning at each recovery
/// @param speeds    how fast the job is in each row; empty: always at full speed
/// @returns the first violation, with the number of its row
[[nodiscard]] Status validate(const Instance& instance, bool replans,
                              std::span<const Strike> failures, std::span<const ScheduleRow> rows,
                              const Metrics& metrics, std::span<const double> speeds = {});
/// Returns the failures that a draw has for the instance's job. @param end  date, in seconds from the job's start
[[nodiscard]] std::vector<Strike> strikes_until(double end, const Instance& instance,
                                                Realisation& realisation);

/// Checks that the job works, saves and recovers only while a node is ready in each place, and waits only while one is not.
[[nodiscard]] Status validate_nodes(std::span<const ScheduleRow> rows, NodePool& pool);

/// The failures of a job that goes on with fewer nodes.
struct SmallerRuns {
  std::vector<Strike> strikes;
  std::vector<double> speeds;  ///< how fast it is in each row
  std::int64_t joins = 0;
};
/// Leads a new pool through the rows. It checks that the job works only with as many nodes as it needs, and ready ones, waits only while
/// it has fewer, and takes idle nodes back where it should.
/// @pre instance.is_elastic()
[[nodiscard]] Result<SmallerRuns> follow_nodes(const Instance& instance,
                                               std::span<const ScheduleRow> rows, NodePool& pool);
/// Checks all of it for a run of a draw.
[[nodiscard]] Status validate_run(const Instance& instance, bool replans, Realisation& realisation,
                                  std::span<const ScheduleRow> rows, const Metrics& metrics);

}  // namespace holdfast::checkpoint
