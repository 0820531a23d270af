#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"

#include <memory>
#include <span>
#include <vector>

namespace holdfast::checkpoint {

using Made = Result<std::unique_ptr<Strategy>>;

/// One row of the table: what the rest of the project sees, and how to make one.
struct StrategyRow {
  StrategyEntry entry;
  bool needs_law = true;  ///< plans from the law of the failures, or from their mean
  bool replans = false;   ///< decides anew after each recovery, from what it then knows
  Made (*make)(const Instance& instance, const StrategySpec& spec) = nullptr;
};

[[nodiscard]] std::span<const StrategyRow> strategies();
/// The same, as the contract wants it.
[[nodiscard]] std::vector<StrategyEntry> strategy_entries();

/// The job's mean time between failures for a rule that knows no more: as observed, unless its parameter `mean` is "law".
[[nodiscard]] double mtbf_for(const Instance& instance, const StrategySpec& spec);

/// The strategy for one job. @pre spec.index is a row of the table; check(instance) holds
[[nodiscard]] Made make_strategy(const Instance& instance, const StrategySpec& spec);

// One per file of strategies/, listed in strategies.cpp.
Made make_next_step(const Instance& instance, const StrategySpec& spec);
Made make_next_step_grid(const Instance& instance, const StrategySpec& spec);
Made make_next_failure(const Instance& instance, const StrategySpec& spec);
Made make_local_young_daly(const Instance& instance, const StrategySpec& spec);
Made make_young_daly(const Instance& instance, const StrategySpec& spec);
Made make_daly(const Instance& instance, const StrategySpec& spec);
Made make_optimal_exponential(const Instance& instance, const StrategySpec& spec);
Made make_fixed(const Instance& instance, const StrategySpec& spec);
Made make_none(const Instance& instance, const StrategySpec& spec);
Made make_as_given(const Instance& instance, const StrategySpec& spec);

}  // namespace holdfast::checkpoint
