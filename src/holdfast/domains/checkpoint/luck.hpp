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
  /// What it is taken for: of the instance's belief, where there is one.
  [[nodiscard]] PlatformHazard* believed() { return believed_ ? believed_.get() : hazard_.get(); }
  /// The draws of what takes now longer and now shorter. Every strategy meets the same.
  [[nodiscard]] StreamKey durations(std::uint64_t entity) const {
    return {.seed = draw_.seed,
            .purpose = Purpose::durations,
            .instance = draw_.instance,
            .scenario = draw_.scenario,
            .entity = entity};
  }

 private:
  Luck(FailureTrace trace, std::shared_ptr<const TabulatedLaw> law, const Draw& draw);

  Draw draw_;
  std::shared_ptr<const TabulatedLaw> law_;
  std::shared_ptr<const TabulatedLaw> belief_;
  FailureTrace trace_;
  std::unique_ptr<PlatformHazard> hazard_;
  std::unique_ptr<PlatformHazard> believed_;
};

/// Date of the job's start on the clock of its trace: traces that are drawn from the platform's birth begin before it.
[[nodiscard]] double start_date(const Instance& instance);

}  // namespace holdfast::checkpoint
