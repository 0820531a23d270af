#pragma once

#include "holdfast/domains/workflow/instance.hpp"

#include <cstdint>
#include <optional>

namespace holdfast::workflow {

/// Returns the expected seconds of a task in that many segments, including failures.
/// @pre segments >= 1
[[nodiscard]] double expected_time(const Instance& instance, std::size_t task,
                                   std::int64_t segments);

/// Returns the smallest expected time of a task over all numbers of segments, in seconds. If checkpoints cost nothing there is
/// no best number, and the limit of many segments is returned. If ages count, it is the time without failures, which is less.
[[nodiscard]] double least_expected_time(const Instance& instance, std::size_t task);

/// Returns a lower bound on the expected makespan of every strategy, in seconds. Every task takes at least its smallest
/// expected time. So the expected length of a path is at least the sum of these along it, and the expected area at least their
/// sum weighted by processors; and a mean of maxima is at least the maximum of means. It bounds means, not single runs, which
/// may happen to be short. Returns nothing if the instance fixes what happens.
[[nodiscard]] std::optional<double> expected_bound(const Instance& instance);

}  // namespace holdfast::workflow
