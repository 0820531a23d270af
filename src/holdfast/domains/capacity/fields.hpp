#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/capacity/generator.hpp"
#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

/// Fields that are plain numbers and words. Jobs, series, and fields that depend on them are read by hand.
namespace holdfast::capacity {

/// Returns everything that may be given as an option.
[[nodiscard]] std::span<const Parameter> fields();

/// Returns the fields that generate, read or pay for jobs and machines, and `more`. They have no meaning where a live state lists
/// its jobs and machines.
[[nodiscard]] std::vector<std::string_view> not_live(std::initializer_list<std::string_view> more);

/// Returns the field that chooses the reading of the source.
[[nodiscard]] const Fields<Instance>& profile_fields();
/// Returns the field that chooses what strategies are compared by.
[[nodiscard]] const Fields<Instance>& objective_fields();
/// Returns the fields M+ and M-.
[[nodiscard]] const Fields<Instance>& machine_fields();
/// Returns the fields for the size of a machine, and for how far from its target a job may run.
[[nodiscard]] const Fields<Instance>& core_fields();
/// Returns the fields of drawn jobs.
[[nodiscard]] const Fields<GeneratorParameters>& family_fields();
/// Returns the fields of a drawn capacity.
[[nodiscard]] const Fields<GeneratorParameters>& walk_fields();

/// The largest time in seconds, 3e7 years. Up to it, times and lengths are exact as doubles, and their sums fit into 64 bits.
inline constexpr double kLatest = 1e15;
inline constexpr Range kRecall = between(0, 1);
inline constexpr Range kPrecision{.minimum = 0, .maximum = 1, .above_minimum = true};
/// The ranges of a number of machines, and of the cores of one.
inline constexpr Range kMachines{.minimum = 1, .maximum = kMostMachines};
inline constexpr Range kCores{.minimum = 1, .maximum = std::numeric_limits<std::int32_t>::max()};
inline constexpr Range kInstants{.minimum = 0, .maximum = kLatest};
/// The range of the seconds between two changes of the capacity.
inline constexpr Range kPeriod{.minimum = 1, .maximum = kLatest};

}  // namespace holdfast::capacity
