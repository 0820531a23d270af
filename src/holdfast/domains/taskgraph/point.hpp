#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/schedule.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::taskgraph {

/// Returns the columns of --schedule: job, attempt (from 1), start, end, processors, failed.
[[nodiscard]] std::vector<TimelineColumn> columns();

/// Returns the schedule as rows.
[[nodiscard]] Timeline to_timeline(const Instance& instance, const Schedule& schedule);

/// Returns how many attempts of each task fail in one scenario: the instance's own numbers, or drawn ones. Empty if no attempt
/// can fail, and if their processors decide about it.
[[nodiscard]] std::vector<std::int64_t> failures_of(const Instance& instance, const Draw& draw);
/// Returns what strikes the attempts of a scenario, if their processors decide whether they fail.
[[nodiscard]] std::optional<Strikes> strikes_of(const Instance& instance, const Draw& draw);

/// Makes a point. A list of tasks is a fixed problem; if only their number is given, tasks are drawn for each instance.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::taskgraph
