#pragma once

#include "holdfast/contract/domain.hpp"

#include <filesystem>
#include <memory>
#include <span>

namespace holdfast::checkpoint {

/// Checks an instance document, or the parameters of a campaign, and makes a point from it: one instance, whose failures are
/// drawn per scenario unless the document fixes them.
[[nodiscard]] Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                                        std::span<const StrategySpec> strategies,
                                                        const std::filesystem::path& directory);

}  // namespace holdfast::checkpoint
