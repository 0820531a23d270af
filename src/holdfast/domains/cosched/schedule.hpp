#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/cosched/simulate.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <span>
#include <vector>

namespace holdfast::cosched {

/// Returns the columns of --schedule: task, start, end, processors, reason (start, failure, completion), faulty.
[[nodiscard]] std::vector<TimelineColumn> columns();
/// Returns the intervals as rows, in order of start.
[[nodiscard]] Timeline timeline_of(const Instance& instance,
                                   std::span<const AllocationInterval> intervals);
/// Returns the intervals of a timeline.
[[nodiscard]] Result<std::vector<AllocationInterval>> intervals_of(const Instance& instance,
                                                                   const Timeline& timeline);

}  // namespace holdfast::cosched
