#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::checkpoint {

/// A fixed period, and its value until the next failure.
struct FixedPeriod {
  double period = 0;      ///< work between two checkpoints, seconds
  double efficiency = 0;  ///< expected efficiency, as for a plan
};

/// Returns the fixed period with the best efficiency from now on, for tools that take a period instead of a plan. It is
/// accurate to 0.1 %, and from 100 s on it is a whole number of seconds.
/// @pre instance.law; check(instance) holds
[[nodiscard]] Result<FixedPeriod> best_fixed_period(const Instance& instance);

/// The tools that take a period.
enum class Tool : std::uint8_t { none, shell, scr, fti, veloc, dmtcp, gromacs, slurm, lightning };
inline constexpr auto kToolNames = std::to_array<std::string_view>(
    {"none", "shell", "scr", "fti", "veloc", "dmtcp", "gromacs", "slurm", "lightning"});

/// Returns the period in the form that the tool reads, as one line without a newline. For slurm it is the time before the end
/// of the allocation at which the batch script gets a signal. @pre tool is not none
/// @param period, checkpoint  seconds
[[nodiscard]] std::string setting_of(Tool tool, double period, double checkpoint);

}  // namespace holdfast::checkpoint
