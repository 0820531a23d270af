#pragma once

#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <memory>
#include <span>

namespace holdfast::cosched {

/// A list of tasks makes a fixed problem, their number one that is drawn per instance.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::cosched
