#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/sketch/instance.hpp"
#include "holdfast/domains/sketch/strategy.hpp"

#include <memory>
#include <vector>

namespace holdfast::sketch {

/// The table, as the contract wants it.
[[nodiscard]] std::vector<StrategyEntry> strategy_entries();

/// A fresh strategy for one run. @pre spec.index is a row of the table; check(instance) holds
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(const Instance& instance,
                                                      const StrategySpec& spec);

// One per file of strategies/, listed in strategies.cpp.
std::unique_ptr<Strategy> make_whole(const Instance& instance, const StrategySpec& spec);
std::unique_ptr<Strategy> make_parts(const Instance& instance, const StrategySpec& spec);

}  // namespace holdfast::sketch
