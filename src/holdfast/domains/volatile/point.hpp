#pragma once

#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::volatile_workers {

/// Columns of --schedule: worker, kind, start, end, then the number of the configuration and the
/// tasks that the worker has in it.
[[nodiscard]] std::vector<TimelineColumn> columns();

/// A list of workers makes a fixed problem, their number one that is drawn per instance.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::volatile_workers
