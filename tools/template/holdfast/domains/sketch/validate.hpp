#pragma once

#include "holdfast/domains/sketch/simulate.hpp"

#include <span>

namespace holdfast::sketch {

/// Checks that a run obeys the model, from its schedule and the failures alone.
/// @returns the first violation, with the number of its row
[[nodiscard]] Status validate(const Instance& instance, std::span<const ScheduleRow> rows,
                              const Metrics& metrics);

}  // namespace holdfast::sketch
