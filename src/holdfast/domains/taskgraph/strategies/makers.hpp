#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/domains/taskgraph/strategy.hpp"

#include <memory>

namespace holdfast::taskgraph {

using Made = Result<std::unique_ptr<Strategy>>;
using StrategyMaker = Made (*)(const StrategySpec& spec, const Instance& instance);

// One for each row of the table, in the file of the strategy.
[[nodiscard]] Made make_capped_lpa(const StrategySpec& spec, const Instance& instance);
[[nodiscard]] Made make_min_time(const StrategySpec& spec, const Instance& instance);
[[nodiscard]] Made make_min_area(const StrategySpec& spec, const Instance& instance);
[[nodiscard]] Made make_fraction(const StrategySpec& spec, const Instance& instance);
[[nodiscard]] Made make_earliest_completion(const StrategySpec& spec, const Instance& instance);
[[nodiscard]] Made make_optimal(const StrategySpec& spec, const Instance& instance);
[[nodiscard]] Made make_as_given(const StrategySpec& spec, const Instance& instance);

/// The parameter `priority` of a specification. @pre the strategy has it
[[nodiscard]] QueueOrder order_of(const StrategySpec& spec);

}  // namespace holdfast::taskgraph
