#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/domains/workflow/simulate.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::workflow {

/// Columns of --schedule: task, start, end, processors, segments, failures.
[[nodiscard]] std::vector<TimelineColumn> columns();
/// Tasks in order of start as rows.
[[nodiscard]] Timeline timeline_of(const Instance& instance, std::span<const TaskRun> tasks);

/// A list of tasks or a workflow file makes a given problem; else one is drawn for each instance.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::workflow
