#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast {

/// The curves at an age at which units failed.
struct SurvivalStep {
  double age = 0;             ///< the age, seconds
  std::int64_t at_risk = 0;   ///< units observed just before that age
  std::int64_t failures = 0;  ///< failures at that age
  double survival = 1;        ///< Kaplan-Meier estimate of the survival just after that age
  /// Greenwood's sum, the variance of ln(survival); infinite if the survival is 0.
  double survival_variance = 0;
  double hazard = 0;           ///< Nelson-Aalen estimate of the cumulative hazard at that age
  double hazard_variance = 0;  ///< variance of the cumulative hazard
};

/// Estimates of survival and cumulative hazard without any law: Kaplan-Meier and Nelson-Aalen. If lives are left-truncated,
/// survival is estimated in Lynden-Bell's form, in which a unit is at risk from its entry on. A failure between two inspections
/// counts at the middle of its interval.
class SurvivalCurve {
 public:
  /// Computes the curves in O(n log n).
  /// @pre LifetimeSample::make() accepts the lives
  explicit SurvivalCurve(std::span<const Lifetime> lives);

  /// Returns the steps in increasing order of age; empty if nothing failed.
  [[nodiscard]] std::span<const SurvivalStep> steps() const { return steps_; }
  /// Returns P(X > age), age in seconds.
  [[nodiscard]] double survival(double age) const;
  /// Returns the cumulative hazard up to and including that age.
  [[nodiscard]] double hazard(double age) const;
  /// Returns an interval of the survival that is symmetric on the scale of ln(-ln S), so it never leaves [0, 1]. If all units
  /// have failed, its upper end is the one at the age before.
  [[nodiscard]] ConfidenceInterval survival_interval(double age, double confidence = 0.95) const;
  /// Returns the largest age at which anything is known, in seconds.
  [[nodiscard]] double last_age() const { return last_age_; }

 private:
  [[nodiscard]] const SurvivalStep* step_at(double age) const;

  std::vector<SurvivalStep> steps_;
  double last_age_ = 0;
};

}  // namespace holdfast
