#pragma once

#include "holdfast/contract/rule_run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace holdfast {

/// Returns the decision table of domains in which a rule chooses the number of processors of each task. The rule is given the
/// size of the machine, the largest number of processors that each task may get, and a curve with the duration of a task
/// (seconds) on a given number of processors.
/// @param when, items  the values of the members of DecisionTable with these names
[[nodiscard]] DecisionTable allocation_table(std::string_view when, std::string_view items);

/// Asks the rule for the allocations, and checks that each task gets a whole number of processors from 1 to its limit.
/// @param machine  processors of the machine
/// @param limits   [tasks] the largest number of processors that each task may get
/// @param time     the duration in seconds of the task at a position on a given number of processors
/// @returns false if an answer was refused; run.status() then says why
[[nodiscard]] bool ask_allocations(
    RuleRun& run, std::int64_t machine, std::span<const std::int64_t> limits,
    const std::function<double(std::size_t task, std::int64_t processors)>& time);

}  // namespace holdfast
