#pragma once

#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// Returns the columns of --schedule: job, machine, cores, start, end, outcome, release.
[[nodiscard]] std::vector<TimelineColumn> columns();

/// Makes a point. A list of jobs makes a fixed problem; otherwise jobs are drawn per instance and the capacity per scenario.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::capacity
