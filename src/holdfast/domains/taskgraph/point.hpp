#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/schedule.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::taskgraph {

/// Columns of --schedule: job, attempt (from 1), start, end, processors, failed.
[[nodiscard]] std::vector<TimelineColumn> columns();

/// Returns the same schedule as rows.
[[nodiscard]] Timeline to_timeline(const Instance& instance, const Schedule& schedule);

/// Returns how many attempts of each task fail in one scenario: the instance's own numbers, or drawn. Empty
/// where no attempt ever fails.
[[nodiscard]] std::vector<std::int64_t> failures_of(const Instance& instance, const Draw& draw);

/// A list of tasks makes a fixed problem; their number, one that is drawn per instance.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::taskgraph
