#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::checkpoint {

/// A period that never changes, and what it is worth until the next failure.
struct FixedPeriod {
  double period = 0;      ///< work between two checkpoints, seconds
  double efficiency = 0;  ///< expected, as that of a plan
};

/// The fixed period of best efficiency for what lies ahead: for tools that take a period and no plan. To a part in a thousand;
/// a whole number of seconds from 100 s on. @pre instance.law; check(instance) holds
[[nodiscard]] Result<FixedPeriod> best_fixed_period(const Instance& instance);

/// Tools that are given a period.
enum class Tool : std::uint8_t { none, shell, scr, fti, veloc, dmtcp, gromacs, slurm, lightning };
inline constexpr auto kToolNames = std::to_array<std::string_view>(
    {"none", "shell", "scr", "fti", "veloc", "dmtcp", "gromacs", "slurm", "lightning"});

/// The period in the form that the tool reads, one line without its end; for slurm, when the batch script is to be told of the end
/// of its allocation. @pre tool is not none
[[nodiscard]] std::string setting_of(Tool tool, double period, double checkpoint);

}  // namespace holdfast::checkpoint
