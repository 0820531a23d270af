#pragma once

#include "holdfast/contract/draw.hpp"
#include "holdfast/domains/machine/instance.hpp"
#include "holdfast/domains/machine/jobs.hpp"
#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/platform_hazard.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace holdfast::machine {

/// What chance decides in one scenario: which node fails when, and which jobs come. Every strategy meets the same.
class Realisation {
 public:
  /// @param instance  has to outlive it
  Realisation(const Instance& instance, std::shared_ptr<const TabulatedLaw> law, const Draw& draw);

  [[nodiscard]] Jobs& jobs() { return jobs_; }
  /// Date of failure number i, seconds from the run's start; kNever where there is none.
  [[nodiscard]] double failure_date(std::size_t i);
  /// The node that it strikes. @pre failure_date(i) < kNever
  [[nodiscard]] std::int64_t failed_node(std::size_t i) const;
  /// Failures of the trace before the run's start.
  [[nodiscard]] std::size_t past() const { return past_; }
  /// The run's start on the trace's clock.
  [[nodiscard]] double origin() const { return origin_; }
  /// When a node was renewed last before the run, seconds from its start: not after 0.
  [[nodiscard]] std::vector<double> renewals() const;

  /// Null where there is no law.
  [[nodiscard]] const TabulatedLaw* law() const { return law_.get(); }
  [[nodiscard]] PlatformHazard* hazard() { return hazard_.get(); }

 private:
  std::shared_ptr<const TabulatedLaw> law_;
  Jobs jobs_;
  std::optional<FailureTrace> trace_;  // none: nothing fails
  std::vector<std::uint32_t> nodes_;   // by number in the trace; empty: the same
  double origin_ = 0;
  std::size_t past_ = 0;
  std::unique_ptr<PlatformHazard> hazard_;
};

}  // namespace holdfast::machine
