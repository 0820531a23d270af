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
  std::span<const FailureEvent> failures;  ///< up to the run's end, by node
  bool shares = true;                      ///< rates have to fit the file system
};

/// Checks that a run obeys the model, from its schedule and the failures alone: who had which node, what each transfer
/// moved, what failures took, and the account of all node-seconds.
/// @returns the first violation, with the job that it is about
[[nodiscard]] Status validate(const CheckedRun& run, std::span<const ScheduleRow> rows,
                              const Metrics& metrics);

}  // namespace holdfast::machine
