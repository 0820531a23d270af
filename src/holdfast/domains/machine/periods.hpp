#pragma once

#include "holdfast/domains/machine/instance.hpp"

#include <cstdint>
#include <optional>

namespace holdfast::machine {

/// The rules that decide when a job asks for checkpoints.
enum class PeriodKind : std::uint8_t {
  young_daly,
  daly,
  optimal_exponential,
  local_young_daly,  ///< Young/Daly's period for the current hazard of its nodes
  next_step,         ///< the plan that saves the largest share of the time until the next failure
  measured,          ///< Young/Daly's period for the mean stall that its class has had
  cooperative,       ///< the best periods for all jobs that run now, from prices of the bandwidth
  cooperative_first_order,
  as_given,  ///< the job's own
  fixed,
};

struct PeriodRule {
  PeriodKind kind = PeriodKind::young_daly;
  /// True: jobs with their own segments or period keep them, because the option `period` was not given.
  bool own_first = false;
  double interval = 0;  ///< period of the rule fixed, seconds
  double load = 1;      ///< share of the bandwidth that cooperative periods may use
};

/// The data of a job that a rule uses, in seconds and failures per second.
struct PeriodQuestion {
  double work = kNever;  ///< total work
  double checkpoint = 0;
  double recovery = 0;
  double downtime = 0;
  double rate = 0;
  bool has_output = false;  ///< true: no checkpoint ends the job
};

/// Returns the seconds of work between two checkpoints for the simple rules. If the job has an end, its segments are equal.
/// @pre kind is young_daly, daly or optimal_exponential
[[nodiscard]] double usual_period(PeriodKind kind, const PeriodQuestion& question);

/// Returns the next of the equal segments into which a period divides the work left: in (0, left], and `left` itself for the
/// last.
/// @param left, period  seconds
/// @param last_extra  extra length of the last segment, seconds
[[nodiscard]] double equal_segment(double left, double period, double last_extra);

}  // namespace holdfast::machine
