#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"

#include <vector>

namespace holdfast::checkpoint {

/// An age at which a job may be ready to work after a failure, and how likely it is.
struct ReadyAge {
  double age = 0;          ///< seconds since the last failure
  double probability = 0;  ///< of all ages together: 1
};

/// From a failure until the job is ready to work again.
struct Restart {
  double time =
      0;  ///< expected, seconds: downtimes and recoveries, those that failures cut short too
  std::vector<ReadyAge> ages;
};

/// The failures of a job that is as new after each of them: one processor, or several that are all renewed
/// (`rejuvenation = "all"`), which are one of cumulative hazard p H(x). Then the age, the time since the last failure, says
/// all that the past says of the future. @pre one processor or rejuvenation = all
class RenewalFailures {
 public:
  explicit RenewalFailures(const Instance& instance);

  /// Lambda(x) = p H(x).
  [[nodiscard]] double cumulative(double age) const { return count_ * law_.cumulative_hazard(age); }
  /// The age with that cumulative hazard.
  [[nodiscard]] double inverse(double cumulative) const {
    return law_.inverse_cumulative_hazard(cumulative / count_);
  }
  /// Probability that nothing fails within `span` from that age on.
  [[nodiscard]] double survival(double age, double span) const;
  /// Integral of survival(age, x) for x from `begin` to `end`: the expected time that passes there before a failure.
  /// Panels of 8-point Gauss-Legendre over which x at most doubles and Lambda grows by at most 1: 1e-10 for smooth laws.
  [[nodiscard]] double time_between(double age, double begin, double end) const;
  /// Probability and expected time of whatever takes so long and may fail.
  [[nodiscard]] double time_within(double age, double span) const {
    return time_between(age, 0, span);
  }

  /// What follows a failure where a recovery takes so long. A failure during the downtime D changes nothing but the age
  /// at its end: D where there was none, else the time since the last one, of which the renewal equation gives the
  /// distribution (256 steps, gathered in six ages or, where it is rare, two).
  [[nodiscard]] Restart restart(double recovery) const;

  [[nodiscard]] const TabulatedLaw& law() const { return law_; }

 private:
  [[nodiscard]] std::vector<ReadyAge> ages_when_up() const;

  TabulatedLaw law_;
  double count_;
  double downtime_;
};

/// The age at the job's start: of the instance's ages, or the platform's.
[[nodiscard]] double age_at_start(const Instance& instance);

/// The failures of a job are a renewal process, and it has an end; else an error names the field.
[[nodiscard]] Status check_renewal(const Instance& instance);

}  // namespace holdfast::checkpoint
