#pragma once

#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/hazard_curve.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace holdfast {

/// The hazard of a platform along one failure trace, in absolute time: B(t) = sum over processors of
/// H(t - last renewal); Lambda from t0 on is B(t0 + x) - B(t0). One serves every strategy, checkpoint
/// length, job length and platform age that meet this trace, in any order; what it answers does not
/// depend on what was asked before.
///
/// How: every 16 failures there is an epoch. When a date after it is first asked for, the sum over
/// all processors renewed until shortly before (ages binned, spec 3.1) is tabulated once. A state is
/// then that table, one term for those that never failed, one for each of the 8 to 23 latest
/// failures, and minus one for each earlier renewal that these have ended. A failure of the trace
/// thus costs O(grid), and filling a curve about 4 microseconds.
/// Source: spec 3.1.
class PlatformHazard {
 public:
  /// Both must outlive this object.
  PlatformHazard(const TabulatedLaw& law, const FailureTrace& trace) : law_{law}, trace_{trace} {}

  /// Fills `out` with the hazard from `date` on, when the first `seen` failures, and no other, have
  /// happened. Relative error about 1e-6, and that of the bins: 8e-5 at most.
  /// @pre `seen` failures are known to the trace; date >= the last of them; span > 0
  void fill(std::size_t seen, double date, double span, HazardCurve& out);

  /// lambda at `date` alone, per second: what a strategy that needs no more than the present asks.
  /// Costs about 0.1 microseconds. @pre as fill(); every age is positive at that date
  [[nodiscard]] double hazard(std::size_t seen, double date);

 private:
  /// Processors of one renewal date, perhaps with a negative weight.
  struct Term {
    double renewed;
    double weight;
  };
  struct Epoch {
    std::size_t begin = 0;  ///< the table knows the failures before this one
    double date = 0;        ///< where the table's x is 0
    HazardCurve older;
    bool has_table = false;
    std::vector<Term> groups;  ///< the initial groups, where they are few
  };

  [[nodiscard]] const Epoch& epoch_before(std::size_t seen);
  void build(Epoch& epoch, std::size_t index) const;
  void follow_trace();
  void collect_terms(const Epoch& epoch, std::size_t seen);

  const TabulatedLaw& law_;
  const FailureTrace& trace_;
  std::vector<std::uint32_t> ended_;  ///< per failure: the next one of the same processor
  std::vector<std::unique_ptr<Epoch>> epochs_;
  std::size_t kept_ = 0;  ///< epochs that exist
  std::vector<Term> terms_;
};

}  // namespace holdfast
