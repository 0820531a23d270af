#pragma once

#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::cosched {

/// Columns of --schedule: task, start, end, processors, reason (start, failure, completion).
[[nodiscard]] std::vector<TimelineColumn> columns();

/// A list of tasks makes a fixed problem, their number one that is drawn per instance.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::cosched
