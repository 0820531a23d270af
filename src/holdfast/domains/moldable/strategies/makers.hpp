#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/moldable/strategy.hpp"

#include <memory>

/// The functions that the table of strategies (strategies.cpp) calls. Each is defined in the file named after its strategy.
/// Specifications have already been checked against the table.
namespace holdfast::moldable {

using StrategyMaker = Result<std::unique_ptr<Strategy>> (*)(const StrategySpec& spec,
                                                            const Instance& instance);

/// Returns the value of the parameter `priority`, which every strategy has.
[[nodiscard]] Priority priority_of(const StrategySpec& spec);

/// Return the rules that another strategy makes use of, with their defaults: `lpa`, `min-time`, `batch-fit`, and `batch` without slack.
[[nodiscard]] std::unique_ptr<Strategy> lpa_rule();
[[nodiscard]] std::unique_ptr<Strategy> min_time_rule();
[[nodiscard]] std::unique_ptr<Strategy> batch_fit_rule();
[[nodiscard]] std::unique_ptr<Strategy> batch_rule();

}  // namespace holdfast::moldable
