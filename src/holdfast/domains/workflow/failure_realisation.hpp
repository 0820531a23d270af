#pragma once

#include "holdfast/domains/workflow/exposure.hpp"
#include "holdfast/domains/workflow/instance.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::workflow {

/// The first failure of a task: after so many seconds of exposed time.
struct FirstFailure {
  TaskIndex task = 0;
  double gap = 0;
};

/// Draws who fails first and when, without asking every task.
///
/// Every task has a stretch on one axis of hazard, as long as what it is exposed to: 1.25 times
/// (length + one checkpoint) times its rate, at most 1. A Poisson process of rate 1 on the axis
/// gives the first failure of the tasks that it hits; one that is not hit has none within its
/// stretch, and if it is exposed for longer, goes on drawing from there (failures have no memory).
/// The stretches do not depend on the strategy, so that all strategies meet the same failures, and a
/// run of 50 000 tasks costs its 0.3 to 17 failures, not 50 000 draws.
/// Later failures come from a stream of the task.
class FailureRealisation {
 public:
  FailureRealisation() = default;
  explicit FailureRealisation(const Instance& instance);

  /// The first failures of a scenario, by task.
  /// @param key  seed, purpose, instance and scenario; the entity is its own
  void draw(const StreamKey& key, std::vector<FirstFailure>& out) const;

  /// Returns the seconds of exposed time of a task that draw() speaks for.
  [[nodiscard]] double covered(std::size_t task) const;

  /// Returns what becomes of a task that draw() gave a first failure.
  [[nodiscard]] ExposureOutcome outcome(const Execution& execution, const StreamKey& key,
                                        const FirstFailure& first) const;
  /// Returns what becomes of a task that draw() gave none, exposed for longer than covered().
  [[nodiscard]] ExposureOutcome outcome_beyond(const Execution& execution, const StreamKey& key,
                                               std::size_t task) const;
  /// Returns the same by asking the task alone, instead of draw(): the reference that tests compare with.
  [[nodiscard]] ExposureOutcome plain_outcome(const Execution& execution, const StreamKey& key,
                                              std::size_t task) const;

 private:
  [[nodiscard]] ExposureOutcome continued(const Execution& execution, Stream& stream, double first,
                                          std::size_t task) const;

  std::vector<double> ends_;   ///< [n] of the stretches on the axis
  std::vector<double> rates_;  ///< [n] failures per exposed second
};

}  // namespace holdfast::workflow
