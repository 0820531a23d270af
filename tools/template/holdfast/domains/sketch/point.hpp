#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::sketch {

/// Returns the columns of --schedule: start, end, lost.
[[nodiscard]] std::vector<TimelineColumn> columns();

/// Checks an instance document, or the parameters of a campaign, and makes a point of it.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::sketch
