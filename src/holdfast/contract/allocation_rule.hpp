#pragma once

#include "holdfast/contract/rule_run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace holdfast {

/// The decision of domains in which a rule says on how many processors each task is launched: told are the most that
/// each may be given, the machine, and how long a task takes on how many.
/// @param when, items  as in DecisionTable
[[nodiscard]] DecisionTable allocation_table(std::string_view when, std::string_view items);

/// Asks, and checks that each gets a whole number from 1 to its limit.
/// @param time  of one task, by position, on so many processors
/// @returns false where the run's status says what is wrong
[[nodiscard]] bool ask_allocations(
    RuleRun& run, std::int64_t machine, std::span<const std::int64_t> limits,
    const std::function<double(std::size_t task, std::int64_t processors)>& time);

}  // namespace holdfast
