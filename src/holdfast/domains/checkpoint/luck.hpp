#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/platform_hazard.hpp"

#include <memory>

namespace holdfast::checkpoint {

/// One draw of the failures of a platform, and what they say about its hazard. It depends on the law, the processors and
/// the draw, not on the job: one serves every checkpoint length, job length, strategy and platform age.
class Luck {
 public:
  /// Draws the failures, or takes the instance's events. @param law  the instance's, tabulated; null: none
  [[nodiscard]] static std::unique_ptr<Luck> make(const Instance& instance,
                                                  std::shared_ptr<const TabulatedLaw> law,
                                                  const Draw& draw);

  [[nodiscard]] FailureTrace& trace() { return trace_; }
  /// Null where there is no law.
  [[nodiscard]] PlatformHazard* hazard() { return hazard_.get(); }

 private:
  Luck(FailureTrace trace, std::shared_ptr<const TabulatedLaw> law);

  std::shared_ptr<const TabulatedLaw> law_;
  FailureTrace trace_;
  std::unique_ptr<PlatformHazard> hazard_;
};

/// Date of the job's start on the clock of its trace: traces that are drawn from the platform's birth begin before it.
[[nodiscard]] double start_date(const Instance& instance);

}  // namespace holdfast::checkpoint
