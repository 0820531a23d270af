#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/plan.hpp"

#include <cstdint>
#include <optional>

namespace holdfast::checkpoint {

/// The share of a whole run that is useful work: the work divided by the expected time, which includes checkpoints, lost work,
/// downtimes and recoveries. For training runs it is called the effective training time ratio (ETTR).
struct Efficiency {
  double value = 0;
  double standard_error = 0;   ///< of `value`; 0 if it is exact
  std::int64_t scenarios = 0;  ///< the runs that were simulated; 0: it comes from a closed form

  friend bool operator==(const Efficiency&, const Efficiency&) = default;
};

/// Returns the efficiency of a job under a strategy whose plan at its start is given. For a job without end it is that in the
/// long run.
///
/// If failures are exponential and nothing else is random, it is exact: each segment of the plan takes the time of lemma 26, or
/// in a pattern of two levels that of expected_time(). Otherwise it is the work of 20 runs (seed 1) divided by their time, or of
/// as many as take half a second, at least 3. These are the runs of `checkpoint simulate`. For a job without end they have the work of a
/// hundred mean times between failures, on processors whose ages are those of the log, or those of processors that have been in
/// service for long.
/// @returns nothing if 3 runs would take more than half a second; 0 if a run would not end; an error of the strategy
/// @pre instance.law; check(instance) holds; the plan is one of this strategy
[[nodiscard]] Result<std::optional<Efficiency>> efficiency_of(const Instance& instance,
                                                              const StrategySpec& spec,
                                                              const Plan& plan);

}  // namespace holdfast::checkpoint
