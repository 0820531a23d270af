#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit.hpp"
#include "holdfast/models/failures/fit_turnbull.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast {

/// The curves at an age at which units failed.
struct SurvivalStep {
  double age = 0;  ///< the age, seconds
  double from =
      0;  ///< the survival is unknown between this age and `age`; the same if the ages are known
  std::int64_t at_risk = 0;   ///< units observed just before that age
  std::int64_t failures = 0;  ///< failures at that age
  double survival = 1;        ///< Kaplan-Meier estimate of the survival just after that age
  /// Greenwood's sum, the variance of ln(survival); infinite if the survival is 0.
  double survival_variance = 0;
  double hazard = 0;  ///< Nelson-Aalen estimate of the cumulative hazard at that age
};

/// Estimates of survival and cumulative hazard without any law: Kaplan-Meier and Nelson-Aalen. If lives are left-truncated,
/// survival is estimated in Lynden-Bell's form, in which a unit is at risk from its entry on. Failures between two inspections
/// make Turnbull's estimate, which is Kaplan-Meier's with gaps if no other age lies inside their intervals. There `failures` are
/// expected numbers, rounded, and the hazard is the sum of the shares that fail.
class SurvivalCurve {
 public:
  /// Computes the curves in O(n log n), but for Turnbull's estimate.
  /// @pre LifetimeSample::make() accepts the lives
  explicit SurvivalCurve(std::span<const Lifetime> lives);

  /// Returns the steps in increasing order of age; empty if nothing failed.
  [[nodiscard]] std::span<const SurvivalStep> steps() const { return steps_; }
  /// Returns P(X > age), age in seconds.
  [[nodiscard]] double survival(double age) const;
  /// Returns an interval of the survival that is symmetric on the scale of ln(-ln S), so it never leaves [0, 1]. If all units
  /// have failed, its upper end is the one at the age before. For Turnbull's estimate it is a likelihood-ratio interval.
  [[nodiscard]] ConfidenceInterval survival_interval(double age, double confidence = 0.95) const;
  /// Returns the largest age at which anything is known, in seconds.
  [[nodiscard]] double last_age() const { return last_age_; }
  /// Returns the number of units that were observed from age 0 on.
  [[nodiscard]] std::int64_t begun() const { return begun_; }
  /// Returns the age up to which the survival after a step is known.
  [[nodiscard]] double known_until(std::size_t step) const {
    return step + 1 < steps_.size() ? steps_[step + 1].from : last_known_;
  }
  /// Returns true if the survival is unknown at some ages before the last step.
  [[nodiscard]] bool has_gaps() const;
  /// Returns "Kaplan-Meier" or "Turnbull".
  [[nodiscard]] std::string_view name() const { return turnbull_ ? "Turnbull" : "Kaplan-Meier"; }

 private:
  void count(std::span<const Lifetime> lives);
  void take_turnbull(std::span<const Lifetime> lives);
  [[nodiscard]] const SurvivalStep* step_at(double age) const;

  std::vector<SurvivalStep> steps_;
  std::shared_ptr<const TurnbullEstimate> turnbull_;  ///< null: Kaplan-Meier
  std::int64_t begun_ = 0;
  double last_age_ = 0;
  double last_known_ = 0;  ///< largest age at which a unit was alive
};

}  // namespace holdfast
