#pragma once

#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <memory>
#include <span>

namespace holdfast::workflow {

/// A list of tasks or a workflow file makes a given problem; else one is drawn for each instance.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::workflow
