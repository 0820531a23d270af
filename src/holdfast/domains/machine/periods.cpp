#include "holdfast/domains/machine/periods.hpp"

#include "holdfast/models/resilience/job.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace holdfast::machine {
namespace {

double endless_period(PeriodKind kind, double checkpoint, double mtbf) {
  switch (kind) {
    case PeriodKind::daly:
      return daly_period(checkpoint, mtbf);
    case PeriodKind::optimal_exponential:
      return optimal_period(checkpoint, mtbf);
    default:
      return young_daly_period(checkpoint, mtbf);
  }
}

}  // namespace

double usual_period(PeriodKind kind, const PeriodQuestion& question) {
  if (!(question.rate > 0)) return kNever;
  const double period = endless_period(kind, question.checkpoint, 1 / question.rate);
  if (std::isinf(question.work)) return period;
  const ResilienceCosts costs{question.checkpoint, question.recovery, question.downtime};
  const JobEnds ends{.final_checkpoint = !question.has_output};
  std::int64_t segments = kind == PeriodKind::optimal_exponential
                              ? optimal_job(question.work, costs, question.rate, ends).segments
                              : segments_for_period(question.work, period);
  // The work of a middle segment does not grow with their number: if it has none with the wanted one, only 2 or 1 may be
  // possible.
  if (!is_possible(question.work, costs, segments, ends)) {
    segments = is_possible(question.work, costs, 2, ends) ? 2 : 1;
  }
  const double last_extra = question.has_output ? question.checkpoint : 0;
  return segments == 1 ? question.work
                       : (question.work - last_extra) / static_cast<double>(segments);
}

double equal_segment(double left, double period, double last_extra) {
  // A period that divides the work is a quotient of doubles: 1e-9 of a segment is no segment.
  constexpr double kRounding = 1e-9;
  if (std::isinf(left)) return period;
  const double segments = std::ceil((left - last_extra) / period - kRounding);
  if (!(segments > 1)) return left;
  return std::min(left, (left - last_extra) / segments);
}

}  // namespace holdfast::machine
