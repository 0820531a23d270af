#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/domains/io/strategy.hpp"

#include <memory>
#include <vector>

namespace holdfast::io {

/// The table: one row per strategy.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// A fresh strategy for one run; refers to the instance. `as-given` needs the instance's rates: bad_value where there
/// are none.
[[nodiscard]] Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                              const Instance& instance,
                                                              const Load& load);

}  // namespace holdfast::io
