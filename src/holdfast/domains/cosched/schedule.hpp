#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/cosched/simulate.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <span>
#include <vector>

namespace holdfast::cosched {

/// Columns of --schedule: task, start, end, processors, reason (start, failure, completion), faulty.
[[nodiscard]] std::vector<TimelineColumn> columns();
/// Intervals in order of start as rows.
[[nodiscard]] Timeline timeline_of(const Instance& instance,
                                   std::span<const AllocationInterval> intervals);
/// Returns the intervals again.
[[nodiscard]] Result<std::vector<AllocationInterval>> intervals_of(const Instance& instance,
                                                                   const Timeline& timeline);

}  // namespace holdfast::cosched
