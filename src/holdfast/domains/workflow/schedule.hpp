#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/workflow/simulate.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <span>
#include <vector>

namespace holdfast::workflow {

/// Returns the columns of --schedule: task, start, end, processors, segments, failures.
[[nodiscard]] std::vector<TimelineColumn> columns();
/// Returns the tasks as rows, in order of start.
[[nodiscard]] Timeline timeline_of(const Instance& instance, std::span<const TaskRun> tasks);
/// Returns the tasks of a timeline.
[[nodiscard]] Result<std::vector<TaskRun>> tasks_of(const Instance& instance,
                                                    const Timeline& timeline);

}  // namespace holdfast::workflow
