#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/moldable/list_run.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <span>
#include <vector>

namespace holdfast::moldable {

/// Returns the columns of --schedule: job, attempt, start, end, processors, failed.
[[nodiscard]] std::vector<TimelineColumn> columns();
/// Returns the attempts as rows, in order of start.
[[nodiscard]] Timeline timeline_of(const Instance& instance, std::span<const Attempt> attempts);
/// Returns the attempts of a timeline, without their batches.
[[nodiscard]] Result<std::vector<Attempt>> attempts_of(const Instance& instance,
                                                       const Timeline& timeline);

}  // namespace holdfast::moldable
