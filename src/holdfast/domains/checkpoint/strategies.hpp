#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"

#include <memory>
#include <vector>

namespace holdfast::checkpoint {

using Made = Result<std::unique_ptr<Strategy>>;

/// Returns the table of strategies.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// Returns whether it decides again after each recovery, from what it then knows.
[[nodiscard]] bool replans(const StrategySpec& spec);

/// Returns whether it reads State::future: a bound, which has nothing to say where no failures are drawn.
[[nodiscard]] bool knows_future(const StrategySpec& spec);

/// Returns whether it learns from what a run meets, so that what it does has no value of its own.
[[nodiscard]] bool learns(const StrategySpec& spec);

/// Whether it writes local checkpoints, of a job that has them.
[[nodiscard]] bool writes_local(const StrategySpec& spec);

/// The job's mean time between failures for a rule that knows no more: as observed, unless its parameter `mean` is "law".
[[nodiscard]] double mtbf_for(const Instance& instance, const StrategySpec& spec);

/// Returns the strategy for one job. @pre spec.index is a row of the table; check(instance) holds
[[nodiscard]] Made make_strategy(const StrategySpec& spec, const Instance& instance);

/// An error where the job has no local level, which this strategy writes checkpoints of.
[[nodiscard]] Status check_levels(const Instance& instance, const StrategySpec& spec);

// Asked by `plan` too.
Made make_local_young_daly(const Instance& instance, const StrategySpec& spec);
Made make_young_daly(const Instance& instance, const StrategySpec& spec);

}  // namespace holdfast::checkpoint
