#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/workflow/strategy.hpp"

#include <memory>

/// The makers of all strategies, for the table.
namespace holdfast::workflow {

using Made = Result<std::unique_ptr<Strategy>>;
using Maker = Made (*)(const StrategySpec& spec, const Instance& instance);

Made make_min_exp(const StrategySpec& spec, const Instance& instance);
Made make_lambert(const StrategySpec& spec, const Instance& instance);
Made make_safe_check(const StrategySpec& spec, const Instance& instance);
Made make_check_more(const StrategySpec& spec, const Instance& instance);
Made make_basic_check_more(const StrategySpec& spec, const Instance& instance);
Made make_tuned(const StrategySpec& spec, const Instance& instance);
Made make_none(const StrategySpec& spec, const Instance& instance);
Made make_fixed(const StrategySpec& spec, const Instance& instance);
Made make_as_given(const StrategySpec& spec, const Instance& instance);

/// Refuses an instance from which no period follows: no mtbf, or checkpoints that cost nothing.
[[nodiscard]] Status has_period(const Instance& instance);

}  // namespace holdfast::workflow
