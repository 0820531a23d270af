#pragma once

#include "holdfast/domains/sketch/failures.hpp"
#include "holdfast/domains/sketch/instance.hpp"
#include "holdfast/domains/sketch/metrics.hpp"
#include "holdfast/domains/sketch/strategy.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <cstdint>
#include <span>

namespace holdfast::sketch {

/// Columns of the timeline: kind (work, save), start and end in seconds, lost.
[[nodiscard]] std::span<const TimelineColumn> schedule_columns();

/// A run that is struck this often is hopeless, and given up with an error.
inline constexpr std::int64_t kMostFailures = 10'000'000;

/// Runs one job under one strategy against one draw of failures. A failure at t loses the segment with
/// start <= t < end of its save; at the very end of the save it loses nothing of it.
/// @param timeline  rows are added to it, if there is one
[[nodiscard]] Result<Metrics> simulate(const Instance& instance, Strategy& strategy,
                                       Failures failures, Timeline* timeline = nullptr);

}  // namespace holdfast::sketch
