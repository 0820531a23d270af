#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/moldable/list_run.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace holdfast::moldable {

/// Checks a schedule against the model, without sharing code with the simulator. Every job has f_j + 1 attempts one after the
/// other from its release on, all but the last failed, each as long as the job takes on its processors, or until it is struck. There are never more processors in use than
/// exist, and no waiting job fits (list scheduling). With batches, attempt a of a job belongs to batch 1 + floor(log2 a), which
/// starts when all attempts of the previous batch have ended.
/// @param failures  [n] failed attempts
/// @param attempts  in any order
/// @param may_wait  true if a waiting job may fit
/// @param strikes  what struck the attempts, if their outcomes depend on their processors; they must agree with `failures`
/// @returns success, or `infeasible` with the first rule that is broken; `where` is "/schedule/ROW"
[[nodiscard]] Status validate(const Instance& instance, std::span<const std::int64_t> failures,
                              std::span<const Attempt> attempts, bool is_batched,
                              bool may_wait = false, const std::optional<Strikes>& strikes = {});

}  // namespace holdfast::moldable
