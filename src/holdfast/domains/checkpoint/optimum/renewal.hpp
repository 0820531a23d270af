#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"

#include <vector>

namespace holdfast::checkpoint {

/// An age at which a job may be ready to work after a failure, and its probability.
struct ReadyAge {
  double age = 0;          ///< seconds since the last failure
  double probability = 0;  ///< all probabilities sum to 1
};

/// The time from a failure until the job is ready to work again.
struct Restart {
  /// Expected time in seconds: downtimes and recoveries, including those that failures cut short.
  double time = 0;
  std::vector<ReadyAge> ages;
};

/// The failures of a job that is as good as new after each of them: one processor, or several that are all renewed
/// (`rejuvenation = "all"`), which behave like one with cumulative hazard p H(x). The future then depends on the past only
/// through the age, that is, the time since the last failure.
/// @pre one processor or rejuvenation = all
class RenewalFailures {
 public:
  explicit RenewalFailures(const Instance& instance);

  /// Returns Lambda(x) = p H(x).
  [[nodiscard]] double cumulative(double age) const { return count_ * law_.cumulative_hazard(age); }
  /// Returns the age with that cumulative hazard.
  [[nodiscard]] double inverse(double cumulative) const {
    return law_.inverse_cumulative_hazard(cumulative / count_);
  }
  /// Returns the probability that nothing fails within `span` seconds from that age on.
  [[nodiscard]] double survival(double age, double span) const;
  /// Returns the integral of survival(age, x) for x from `begin` to `end`: the expected time spent there before a failure. It
  /// uses 8-point Gauss-Legendre panels over which x at most doubles and Lambda grows by at most 1, which is accurate to 1e-10
  /// for smooth laws.
  [[nodiscard]] double time_between(double age, double begin, double end) const;
  /// Returns the expected time of an activity of `span` seconds, which ends early if a failure strikes it.
  [[nodiscard]] double time_within(double age, double span) const {
    return time_between(age, 0, span);
  }

  /// Returns the restart after a failure, for a recovery of that length. A failure during the downtime D changes only the age
  /// at its end: D if there was none, otherwise the time since the last one, whose distribution follows from the renewal
  /// equation (256 steps, combined into six ages, or two if it is rare).
  [[nodiscard]] Restart restart(double recovery) const;

  [[nodiscard]] const TabulatedLaw& law() const { return law_; }

 private:
  [[nodiscard]] std::vector<ReadyAge> ages_when_up() const;

  TabulatedLaw law_;
  double count_;
  double downtime_;
};

/// Returns the age at the job's start, from the instance's ages or the platform's.
[[nodiscard]] double age_at_start(const Instance& instance);

/// Checks that the failures of a job are a renewal process and that the job has an end. Otherwise the error names the field.
[[nodiscard]] Status check_renewal(const Instance& instance);

}  // namespace holdfast::checkpoint
