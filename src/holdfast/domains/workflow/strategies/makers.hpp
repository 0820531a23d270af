#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/workflow/strategy.hpp"

#include <memory>

/// The functions that make the strategies, for the table.
namespace holdfast::workflow {

using Made = Result<std::unique_ptr<Strategy>>;
using Maker = Made (*)(const StrategySpec& spec, const Instance& instance);

/// Refuses an instance for which no period exists: without mtbf, or with checkpoints that cost nothing.
[[nodiscard]] Status has_period(const Instance& instance);

}  // namespace holdfast::workflow
