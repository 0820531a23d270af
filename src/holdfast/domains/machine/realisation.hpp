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

/// Everything random in one scenario: which node fails when, and which jobs arrive. All strategies see the same realisation.
class Realisation {
 public:
  /// @param instance  must outlive this object
  Realisation(const Instance& instance, std::shared_ptr<const TabulatedLaw> law, const Draw& draw);

  [[nodiscard]] Jobs& jobs() { return jobs_; }
  /// Returns the date of failure number i, in seconds from the run's start; kNever if there is none.
  [[nodiscard]] double failure_date(std::size_t i);
  /// Returns the node that the failure strikes. @pre failure_date(i) < kNever
  [[nodiscard]] std::int64_t failed_node(std::size_t i) const;
  /// Returns the number of failures in the trace before the run's start.
  [[nodiscard]] std::size_t past() const { return past_; }
  /// Returns the run's start on the trace's clock.
  [[nodiscard]] double origin() const { return origin_; }
  /// Returns the last renewal of each node before the run, in seconds from its start: at most 0.
  [[nodiscard]] std::vector<double> renewals() const;

  /// Returns the law; null if there is none.
  [[nodiscard]] const TabulatedLaw* law() const { return law_.get(); }
  [[nodiscard]] PlatformHazard* hazard() { return hazard_.get(); }

 private:
  std::shared_ptr<const TabulatedLaw> law_;
  Jobs jobs_;
  std::optional<FailureTrace> trace_;  // absent: nothing fails
  std::vector<std::uint32_t> nodes_;   // node of each number in the trace; empty: the same number
  double origin_ = 0;
  std::size_t past_ = 0;
  std::unique_ptr<PlatformHazard> hazard_;
};

}  // namespace holdfast::machine
