#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/moldable/list_run.hpp"

#include <cstdint>
#include <span>

namespace holdfast::moldable {

/// Checks a schedule against the model and shares no code with the simulator: every job has its
/// attempts f_j + 1 one after the other, all but the last failed, each as long as the job takes on
/// its processors; never more processors than there are; whatever waits does not fit (list
/// scheduling). With batches: attempt a of a job belongs to batch 1 + floor(log2 a), which starts
/// when all attempts of the batch before have ended.
/// @param failures  [n]
/// @param attempts  any order
/// @returns success, or `infeasible` with the first rule that is broken; `where` is "/schedule/ROW"
[[nodiscard]] Status validate(const Instance& instance, std::span<const std::int64_t> failures,
                              std::span<const Attempt> attempts, bool is_batched);

}  // namespace holdfast::moldable
