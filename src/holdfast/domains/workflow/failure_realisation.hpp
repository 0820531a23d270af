#pragma once

#include "holdfast/domains/workflow/exposure.hpp"
#include "holdfast/domains/workflow/instance.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::workflow {

/// The first failure of a task, given by the exposed seconds before it.
struct FirstFailure {
  TaskIndex task = 0;
  double gap = 0;  ///< seconds
};

/// The failures of one instance, drawn without a draw for every task: which tasks fail, and when they fail first.
///
/// Every task has an interval on one axis of hazard. Its length is the task's exposure: 1.25 times (length + one checkpoint)
/// times its rate, at most 1. A Poisson process of rate 1 on the axis gives the first failures of the tasks that it hits. A
/// task that is not hit has no failure within its interval; if it is exposed for longer, drawing continues from there
/// (failures have no memory). The intervals do not depend on the strategy, so all strategies see the same failures, and a run
/// of 50 000 tasks costs as many draws as it has failures, 0.3 to 17 on average, instead of 50 000. Later failures come from a
/// stream of the task.
class FailureRealisation {
 public:
  FailureRealisation() = default;
  explicit FailureRealisation(const Instance& instance);

  /// Draws the first failures of a scenario, by task.
  /// @param key  seed, purpose, instance and scenario; the entity is set here
  void draw(const StreamKey& key, std::vector<FirstFailure>& out) const;

  /// Returns the exposed seconds of a task for which draw() decides whether it fails.
  [[nodiscard]] double covered(std::size_t task) const;

  /// Returns the outcome of a task to which draw() gave a first failure.
  [[nodiscard]] ExposureOutcome outcome(const Execution& execution, const StreamKey& key,
                                        const FirstFailure& first) const;
  /// Returns the outcome of a task to which draw() gave no failure and which is exposed for longer than covered().
  [[nodiscard]] ExposureOutcome outcome_beyond(const Execution& execution, const StreamKey& key,
                                               std::size_t task) const;
  /// Returns the same outcome by drawing for the task alone, without draw(). Tests use it as the reference.
  [[nodiscard]] ExposureOutcome plain_outcome(const Execution& execution, const StreamKey& key,
                                              std::size_t task) const;

 private:
  [[nodiscard]] ExposureOutcome continued(const Execution& execution, Stream& stream, double first,
                                          std::size_t task) const;

  std::vector<double> ends_;   ///< [n] ends of the intervals on the axis
  std::vector<double> rates_;  ///< [n] failures per exposed second
};

}  // namespace holdfast::workflow
