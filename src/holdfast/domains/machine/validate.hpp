#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/machine/instance.hpp"
#include "holdfast/domains/machine/metrics.hpp"
#include "holdfast/domains/machine/schedule.hpp"

#include <span>

namespace holdfast::machine {

/// The input of a run.
struct CheckedRun {
  const Instance& instance;
  std::span<const Job> jobs;
  std::span<const FailureEvent> failures;  ///< failures up to the end of the run, by node
  /// true: rates must not exceed the file system's bandwidth
  bool shares = true;
};

/// Checks that a run follows the model, from its schedule and the failures alone: which job had which node, what each transfer
/// moved, what was lost in failures, and the account of all node-seconds.
/// @returns the first violation, with the job that it is about
[[nodiscard]] Status validate(const CheckedRun& run, std::span<const ScheduleRow> rows,
                              const Metrics& metrics);

}  // namespace holdfast::machine
