#pragma once

#include "holdfast/domains/moldable/rolling_run.hpp"
#include "holdfast/domains/moldable/simulate.hpp"
#include "holdfast/domains/moldable/strategy.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::moldable {

/// A strategy on a machine that runs. What it answers depends on how the jobs stand and on nothing else, so that a
/// process which is killed may ask again. Attempts may take longer or shorter than predicted, and none is started by the watchdogs of `rolling`
/// and `batch-fit`, whose promises are for a machine of one's own.
class LiveRule {
 public:
  /// The arguments must outlive the rule.
  LiveRule(const PreparedInstance& prepared, const Strategy& strategy);

  /// Returns the attempts that start now.
  /// @param jobs  [n]
  /// @param now   seconds since the beginning
  [[nodiscard]] std::vector<Launch> launches(std::span<const LiveJob> jobs, double now);

 private:
  [[nodiscard]] std::vector<Launch> listed(std::span<const LiveJob> jobs) const;

  const PreparedInstance& prepared_;
  const Strategy* list_;  ///< the rule if nothing rolls
  std::optional<RollingRun> rolling_;
};

}  // namespace holdfast::moldable
