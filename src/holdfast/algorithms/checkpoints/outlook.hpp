#pragma once

#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/hazard_curve.hpp"
#include "holdfast/models/failures/platform_hazard.hpp"

#include <cstddef>
#include <span>

namespace holdfast::checkpoints {

/// The failures that a job must expect from now on, given the ages of its processors: Lambda(x), the platform's cumulative
/// hazard over the next x seconds, and its derivative lambda(x). A real system computes both from the law and the dates of past
/// failures. Nothing here uses knowledge of the future.
class Outlook {
 public:
  virtual ~Outlook() = default;
  /// Returns Lambda, lambda and lambda' for 0 <= x <= span (seconds). Valid until the next call.
  [[nodiscard]] virtual const HazardCurve& curve(double span) = 0;
  /// Writes Lambda at increasing x >= 0 to `out`, as exactly as possible in reasonable time. @pre x.size() == out.size()
  virtual void cumulative(std::span<const double> x, std::span<double> out) = 0;
};

/// The outlook of a plan: the ages are known, and nothing has failed since.
class AgesOutlook final : public Outlook {
 public:
  /// Makes the outlook of processors of these ages.
  /// @param law  must outlive the outlook
  AgesOutlook(const TabulatedLaw& law, Ages ages);

  [[nodiscard]] const HazardCurve& curve(double span) override;
  void cumulative(std::span<const double> x, std::span<double> out) override;

  /// Lets time pass without a failure.
  void advance(double seconds);

 private:
  const TabulatedLaw& law_;
  Ages ages_;
  Ages few_;  ///< groups of ages, compressed if there are very many
  HazardCurve curve_;
};

/// The outlook in a simulation, after the first `seen` failures of a trace.
class TraceOutlook final : public Outlook {
 public:
  /// Makes the outlook of a trace.
  /// @param hazard  may be null if no strategy will use it
  explicit TraceOutlook(PlatformHazard* hazard) : hazard_{hazard} {}

  /// Moves the outlook to a date in seconds. @param seen  number of failures so far, all at or before `date`
  void move_to(std::size_t seen, double date) {
    seen_ = seen;
    date_ = date;
  }

  [[nodiscard]] const HazardCurve& curve(double span) override;
  void cumulative(std::span<const double> x, std::span<double> out) override;

 private:
  PlatformHazard* hazard_;
  HazardCurve curve_;
  std::size_t seen_ = 0;
  double date_ = 0;
};

}  // namespace holdfast::checkpoints
