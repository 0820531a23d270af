#pragma once

#include "holdfast/domains/workflow/aged_failures.hpp"
#include "holdfast/domains/workflow/simulate.hpp"
#include "holdfast/domains/workflow/task_planner.hpp"

#include <optional>
#include <span>
#include <vector>

namespace holdfast::workflow {

/// Runs of one strategy's decisions on a machine whose processors have ages. Tasks start in the order of the failure-free schedule, each
/// on the free processors of the lowest numbers. A failure of any of its processors loses the segment of a task; then the downtime
/// passes, in which failures only renew processors, and then the recovery, which a failure starts again. A failed processor is new.
/// Source: Perotin's thesis, sections 5.3.1 and 6.2.2.
class AgedSimulator {
 public:
  /// @param prepared  must outlive the simulator
  /// @param cuts      [n], of tasks that are not planned while they run
  AgedSimulator(const PreparedInstance& prepared, const Strategy& strategy,
                std::span<const Cut> cuts);

  /// Runs one scenario. @param tasks  receives all tasks in order of start; may be null
  /// @returns infeasible for a task that fails more than a million times
  [[nodiscard]] Result<Metrics> run(AgedFailures& failures, std::vector<TaskRun>* tasks = nullptr);

 private:
  struct Running;
  [[nodiscard]] bool work(AgedFailures& failures, std::span<const std::uint32_t> processors,
                          TaskRun& task);

  const PreparedInstance* prepared_;
  std::vector<Cut> cuts_;
  std::optional<TaskPlanner> planner_;
};

}  // namespace holdfast::workflow
