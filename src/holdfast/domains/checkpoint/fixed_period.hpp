#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::checkpoint {

/// A fixed period, and its value until the next failure.
struct FixedPeriod {
  double period = 0;  ///< work between two checkpoints, seconds
  double share = 0;   ///< saved before the next failure, as for a plan
};

/// Returns the fixed period that saves the largest share of the time until the next failure, for tools that take a period instead of a plan. It is
/// accurate to 0.1 %, and from 100 s on it is a whole number of seconds. If the job can checkpoint only between iterations, it is a
/// whole number of these.
/// @pre instance.law; check(instance) holds
[[nodiscard]] Result<FixedPeriod> best_fixed_period(const Instance& instance);

/// Returns what other fixed periods save, from a sixteenth to sixteen times that of Young and Daly, in increasing order. Periods so short
/// that no plan holds them all are absent. @pre as above
[[nodiscard]] Result<std::vector<FixedPeriod>> fixed_periods(const Instance& instance);

/// Returns the strategy of a fixed period in seconds, as it is typed.
[[nodiscard]] std::string fixed_text(double period);

/// The tools that take a period. From megatron on they count iterations (steps).
enum class Tool : std::uint8_t {
  none,
  shell,
  scr,
  fti,
  veloc,
  dmtcp,
  gromacs,
  slurm,
  lightning,
  megatron,
  torchtitan,
  hf,
  deepspeed,
  orbax,
};
inline constexpr auto kToolNames = std::to_array<std::string_view>(
    {"none", "shell", "scr", "fti", "veloc", "dmtcp", "gromacs", "slurm", "lightning", "megatron",
     "torchtitan", "hf", "deepspeed", "orbax"});

/// What a tool is told.
struct Setting {
  std::string line;   ///< without a newline
  double period = 0;  ///< seconds of work between two checkpoints that the line means
};

/// Returns the period in the form that the tool reads. For slurm it is the time before the end of the allocation at which the
/// batch script gets a signal. @pre tool is not none
/// @param period, checkpoint  seconds
/// @param iteration  seconds of an iteration; 0: unknown
/// @returns an error about /iteration for a tool that counts iterations, if it is unknown
[[nodiscard]] Result<Setting> setting_of(Tool tool, double period, double checkpoint,
                                         double iteration);

}  // namespace holdfast::checkpoint
