#pragma once

#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <memory>
#include <span>

namespace holdfast::workflow {

/// Makes a point. A list of tasks or a workflow file is a given problem; otherwise a workflow is drawn for each instance.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::workflow
