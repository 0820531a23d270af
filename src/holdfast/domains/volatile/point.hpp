#pragma once

#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::volatile_workers {

/// Returns the columns of --schedule: worker, kind, start, end, the number of the configuration, and the worker's tasks in it.
[[nodiscard]] std::vector<TimelineColumn> columns();

/// Makes a point. A list of workers is a fixed problem; if only their number is given, workers are drawn for each instance.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::volatile_workers
