#pragma once

#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/hazard_curve.hpp"
#include "holdfast/models/failures/platform_hazard.hpp"

#include <cstddef>
#include <span>

namespace holdfast::checkpoints {

/// The failures that a job must expect from now on, given the ages of its processors: Lambda(x), the platform's
/// cumulative hazard over the next x seconds, and its derivative lambda(x). A real system computes it from the law
/// and the dates of past failures; nothing here knows the future.
class Outlook {
 public:
  virtual ~Outlook() = default;
  /// Lambda, lambda, lambda' for 0 <= x <= span. Valid until the next call.
  [[nodiscard]] virtual const HazardCurve& curve(double span) = 0;
  /// Lambda at increasing x >= 0, as exactly as the time allows. @pre x.size() == out.size()
  virtual void cumulative(std::span<const double> x, std::span<double> out) = 0;
};

/// For a plan: ages that are known, and no failure since.
class AgesOutlook final : public Outlook {
 public:
  /// @param law  must outlive the outlook
  AgesOutlook(const TabulatedLaw& law, Ages ages);

  [[nodiscard]] const HazardCurve& curve(double span) override;
  void cumulative(std::span<const double> x, std::span<double> out) override;

  /// Lets time pass without a failure.
  void advance(double seconds);

 private:
  const TabulatedLaw& law_;
  Ages ages_;
  Ages few_;  ///< compressed where there are very many
  HazardCurve curve_;
};

/// For a simulation: what the first `seen` failures of a trace have left.
class TraceOutlook final : public Outlook {
 public:
  /// @param hazard  null if no strategy will ask
  explicit TraceOutlook(PlatformHazard* hazard) : hazard_{hazard} {}

  /// From now on the outlook is that of this date. @param seen  failures that have happened, all at or before `date`
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
