#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <span>

namespace holdfast::io {

/// Checks independently that a timeline follows the model: the rows of each application follow its phases without a gap, work
/// takes the right time, transfers move the volumes (to 1e-9), no application exceeds its bandwidth, all together never exceed
/// that of the system, and the yields at the end agree with the rows. It shares no code with the simulator.
/// @param timeline  the complete timeline of simulate()
/// @param yields    yields of the applications
/// @returns bad_value that names the application and the date
[[nodiscard]] Status validate(const Instance& instance, const Timeline& timeline,
                              std::span<const double> yields);

}  // namespace holdfast::io
