#pragma once

#include "holdfast/algorithms/checkpoints/continuous.hpp"
#include "holdfast/domains/workflow/instance.hpp"
#include "holdfast/domains/workflow/strategy.hpp"
#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/tabulated_law.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::workflow {

/// NextStep for the tasks of a workflow: the segments that save the largest share of the time until the next failure of the task,
/// given the ages of its processors, as if failures were `weight` times as frequent.
/// Source: Perotin's thesis, section 5.4, and for the weights its conclusion in section 5.7.
class TaskPlanner {
 public:
  /// @param instance  must outlive the planner. @pre instance.law, and checkpoints that take time
  /// @param weights   [n]
  TaskPlanner(const Instance& instance, std::shared_ptr<const TabulatedLaw> law,
              std::vector<double> weights);

  /// Returns the work done from now on at each checkpoint, in seconds; the last one may be before `left`, where survival is hopeless.
  /// The result is valid until the next call. @param left  seconds of work, > 0
  [[nodiscard]] std::span<const double> plan(std::size_t task, const Ages& ages, double left);

 private:
  const Instance* instance_;
  std::shared_ptr<const TabulatedLaw> law_;
  std::vector<double> weights_;
  checkpoints::ContinuousPlanner planner_;
  double whole_ = 0;
};

/// Returns the cuts of a planner for the ages that processors have at the starts of the failure-free schedule if nothing fails.
[[nodiscard]] std::vector<Cut> planned_cuts(const Situation& situation,
                                            const std::vector<double>& weights);

/// Returns how much a task matters: 1 + ln(delta) (1 - slack / W), at least 1, for delta tasks that run at the same time, the slack of
/// the task in the failure-free schedule, and its Young/Daly period W. With no slack it is the factor of CheckMore.
[[nodiscard]] std::vector<double> importance(const Situation& situation);

}  // namespace holdfast::workflow
