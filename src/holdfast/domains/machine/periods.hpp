#pragma once

#include "holdfast/domains/machine/instance.hpp"

#include <cstdint>
#include <optional>

namespace holdfast::machine {

/// The rules by which a job asks for checkpoints.
enum class PeriodKind : std::uint8_t {
  young_daly,
  daly,
  optimal_exponential,
  local_young_daly,  ///< Young/Daly's period for the present hazard of its nodes
  next_step,         ///< the plan of best efficiency until the next failure
  measured,          ///< Young/Daly of the mean stall that its class has met
  cooperative,       ///< the priced periods of the jobs that run now
  cooperative_first_order,
  as_given,  ///< the job's own
  fixed,
};

struct PeriodRule {
  PeriodKind kind = PeriodKind::young_daly;
  /// Jobs that bring segments or a period of their own keep them: nobody said `period`.
  bool own_first = false;
  double interval = 0;  ///< interval of fixed, seconds
  double load = 1;      ///< load of the bandwidth, what cooperative periods may ask for
};

/// What a rule knows of a job, in seconds and failures per second.
struct PeriodQuestion {
  double work = kNever;  ///< all of it
  double checkpoint = 0;
  double recovery = 0;
  double downtime = 0;
  double rate = 0;
  bool has_output = false;  ///< no checkpoint closes the job
};

/// Work between two checkpoints by a rule that needs no more than that; of a job with an end, of equal segments.
/// @pre kind is young_daly, daly or optimal_exponential
[[nodiscard]] double usual_period(PeriodKind kind, const PeriodQuestion& question);

/// Returns the next of as many equal segments as are left at a period: in (0, left], `left` itself for the last.
/// @param last_extra  what the last segment is longer by
[[nodiscard]] double equal_segment(double left, double period, double last_extra);

}  // namespace holdfast::machine
