#pragma once

#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <memory>
#include <span>

namespace holdfast::moldable {

/// A list of jobs makes a fixed problem, their number one that is drawn for each instance.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::moldable
