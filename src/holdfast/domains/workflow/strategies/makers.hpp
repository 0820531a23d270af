#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/workflow/strategy.hpp"

#include <memory>

/// The makers of all strategies, for the table.
namespace holdfast::workflow {

using Made = Result<std::unique_ptr<Strategy>>;
using Maker = Made (*)(const StrategySpec& spec, const Instance& instance);

/// Refuses an instance from which no period follows: no mtbf, or checkpoints that cost nothing.
[[nodiscard]] Status has_period(const Instance& instance);

}  // namespace holdfast::workflow
