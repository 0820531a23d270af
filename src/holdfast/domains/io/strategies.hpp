#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/domains/io/strategy.hpp"

#include <memory>
#include <vector>

namespace holdfast::io {

/// Returns the table: one row per strategy.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// Returns a new strategy for one run, which refers to the instance. `as-given` needs the instance's rates; without them the
/// result is bad_value.
[[nodiscard]] Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                              const Instance& instance,
                                                              const Load& load);

}  // namespace holdfast::io
