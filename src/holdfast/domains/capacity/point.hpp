#pragma once

#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// Columns of --schedule: job, machine, cores, start, end, outcome, release.
[[nodiscard]] std::vector<TimelineColumn> columns();

/// A list of jobs makes a fixed problem; without one, jobs are drawn per instance and the capacity per scenario.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::capacity
