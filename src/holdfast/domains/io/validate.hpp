#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <span>

namespace holdfast::io {

/// An independent check that a timeline obeys the model: each application's rows follow its phases one after the other
/// without a gap, work lasts what it must, transfers move the volumes (to 1e-9), nobody exceeds its bandwidth and all
/// together never the system's, and the yields at the end are what the rows say. Shares no code with the simulator.
/// @param timeline  of simulate(), complete
/// @param yields    per application
/// @returns bad_value naming the application and the date
[[nodiscard]] Status validate(const Instance& instance, const Timeline& timeline,
                              std::span<const double> yields);

}  // namespace holdfast::io
