#pragma once

#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/hazard_curve.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"

#include <cstddef>
#include <vector>

namespace holdfast {

/// The hazard of a platform along one failure trace, in absolute time: B(t) = sum over processors
/// of H(t - last renewal), Lambda from t0 being B(t0 + x) - B(t0). One serves every strategy,
/// checkpoint length, job length and platform age that meet this trace; runs may ask in any order.
///
/// How: at every 16th failure the sum over all processors renewed so far (compressed groups) is
/// tabulated once, when somebody first asks; a later state is that table, the never-failed group,
/// plus a term for each failure since, minus a term for each renewal that those failures ended.
/// Filling a curve costs about 5 to 10 microseconds. Source: spec 3.1.
class PlatformHazard {
 public:
  /// Both must outlive this object.
  PlatformHazard(const TabulatedLaw& law, const FailureTrace& trace);

  /// Fills `out` with the hazard from `date` on, when the first `seen` failures (dates <= date)
  /// have happened and none later. @pre span > 0
  void fill(std::size_t seen, double date, double span, HazardCurve& out);
  /// lambda at `date` (per second): what a strategy that needs no more than the present asks. @pre
  /// every age > 0
  [[nodiscard]] double hazard(std::size_t seen, double date);

 private:
  const TabulatedLaw& law_;
  const FailureTrace& trace_;
};

}  // namespace holdfast
