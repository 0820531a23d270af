#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/domains/moldable/list_run.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::moldable {

/// Columns of --schedule: job, attempt, start, end, processors, failed.
[[nodiscard]] std::vector<TimelineColumn> columns();
/// Attempts in order of start as rows.
[[nodiscard]] Timeline timeline_of(const Instance& instance, std::span<const Attempt> attempts);

/// A list of jobs makes a fixed problem, their number one that is drawn for each instance.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::moldable
