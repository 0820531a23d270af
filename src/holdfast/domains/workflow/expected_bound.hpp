#pragma once

#include "holdfast/domains/workflow/instance.hpp"

#include <cstdint>
#include <optional>

namespace holdfast::workflow {

/// Returns the expected seconds of a task in that many segments, failures included.
/// @pre segments >= 1
[[nodiscard]] double expected_time(const Instance& instance, std::size_t task,
                                   std::int64_t segments);

/// Returns the least expected time of a task over all numbers of segments. Without a cost of checkpoints there is no best number,
/// and the limit of many segments is returned.
[[nodiscard]] double least_expected_time(const Instance& instance, std::size_t task);

/// Returns an expected makespan that no strategy falls below, seconds: every task takes at least its least expected time, so
/// the expected length of a path is at least the sum of those along it, and the expected area at least their sum weighted by
/// processors; a mean of maxima is at least the maximum of means. It bounds means, not single runs, which may be lucky.
/// Nothing if the instance fixes what happens.
[[nodiscard]] std::optional<double> expected_bound(const Instance& instance);

}  // namespace holdfast::workflow
