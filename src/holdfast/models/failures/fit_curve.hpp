#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast {

/// What is known at one age at which units failed.
struct SurvivalStep {
  double age = 0;
  std::int64_t at_risk = 0;  ///< units watched just before that age
  std::int64_t failures = 0;
  double survival = 1;  ///< Kaplan-Meier, just after that age
  double survival_variance =
      0;              ///< Greenwood's sum: variance of ln(survival); infinite where survival is 0
  double hazard = 0;  ///< Nelson-Aalen: cumulative hazard
  double hazard_variance = 0;  ///< of the cumulative hazard
};

/// Survival and cumulative hazard without any law: Kaplan-Meier and Nelson-Aalen (and Lynden-Bell's form of the former
/// where lives are left-truncated: a unit is at risk from its entry on). A failure between two inspections counts in
/// the middle of its interval.
class SurvivalCurve {
 public:
  /// @pre lives as LifetimeSample::make accepts them. O(n log n)
  explicit SurvivalCurve(std::span<const Lifetime> lives);

  /// In increasing order of age; empty where nothing failed.
  [[nodiscard]] std::span<const SurvivalStep> steps() const { return steps_; }
  /// P(X > age).
  [[nodiscard]] double survival(double age) const;
  /// Cumulative hazard up to and including that age.
  [[nodiscard]] double hazard(double age) const;
  /// ConfidenceInterval of the survival: symmetric on the scale of ln(-ln S), so it never leaves [0, 1]. Where all have failed,
  /// the upper end is that of the age before.
  [[nodiscard]] ConfidenceInterval survival_interval(double age, double confidence = 0.95) const;
  /// Largest age at which anything is known.
  [[nodiscard]] double last_age() const { return last_age_; }

 private:
  [[nodiscard]] const SurvivalStep* step_at(double age) const;

  std::vector<SurvivalStep> steps_;
  double last_age_ = 0;
};

}  // namespace holdfast
