#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/capacity/generator.hpp"
#include "holdfast/domains/capacity/instance.hpp"

#include <span>

/// Fields that are plain numbers and words. Jobs, series and what of them fixes the rest are read by hand.
namespace holdfast::capacity {

/// Returns all that may be given as options.
[[nodiscard]] std::span<const Parameter> fields();

/// Returns how the source is read.
[[nodiscard]] const Fields<Instance>& profile_fields();
/// M+ and M-.
[[nodiscard]] const Fields<Instance>& machine_fields();
/// Returns what a machine is, and how far from its target a job may run.
[[nodiscard]] const Fields<Instance>& core_fields();
/// Returns the fields of drawn jobs.
[[nodiscard]] const Fields<GeneratorParameters>& family_fields();
/// Returns the fields of a drawn capacity.
[[nodiscard]] const Fields<GeneratorParameters>& walk_fields();

/// The last second, 3e7 years: so far times and lengths are whole as a double, and add up in 64 bits.
inline constexpr double kLatest = 1e15;
inline constexpr Range kInstants{.minimum = 0, .maximum = kLatest};
/// Seconds between two changes of the capacity.
inline constexpr Range kPeriod{.minimum = 1, .maximum = kLatest};

}  // namespace holdfast::capacity
