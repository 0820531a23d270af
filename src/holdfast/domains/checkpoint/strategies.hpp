#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace holdfast::checkpoint {

using Made = Result<std::unique_ptr<Strategy>>;

/// Returns the table of strategies.
[[nodiscard]] std::vector<StrategyEntry> strategies();

/// Returns true if the strategy decides again after each recovery, with what it then knows.
[[nodiscard]] bool replans(const StrategySpec& spec);

/// Returns true if the strategy reads State::future. Such a strategy is a bound, and has no result if no failures are drawn.
[[nodiscard]] bool knows_future(const StrategySpec& spec);

/// Returns true if the strategy learns from the events of a run, so that its actions have no expected value of their own.
[[nodiscard]] bool learns(const StrategySpec& spec);

/// What is said of a job with a local level if no strategy uses it.
inline constexpr std::string_view kNoLocalLevel =
    "no strategy here writes local checkpoints: two-level, advised and fixed:PERIOD:locals=N do";

/// Returns true if the strategy writes local checkpoints for a job that has them.
[[nodiscard]] bool writes_local(const StrategySpec& spec);

/// Returns the job's mean time between failures for a rule that uses only a mean: the observed one, unless its parameter `mean`
/// is "law".
[[nodiscard]] double mtbf_for(const Instance& instance, const StrategySpec& spec);

/// Returns the failures of the job per second at present; where that is 0 or infinite, as for new processors, the mean over the next
/// `span` seconds.
[[nodiscard]] double present_rate(Outlook& outlook, double span);

/// Returns the strategy for one job. @pre spec.index is a row of the table; check(instance) holds
[[nodiscard]] Made make_strategy(const StrategySpec& spec, const Instance& instance);

/// Refuses a job without a local level if this strategy writes local checkpoints.
[[nodiscard]] Status check_levels(const Instance& instance, const StrategySpec& spec);

// The verb `plan` also uses these two functions.
Made make_local_young_daly(const Instance& instance, const StrategySpec& spec);
Made make_young_daly(const Instance& instance, const StrategySpec& spec);

}  // namespace holdfast::checkpoint
