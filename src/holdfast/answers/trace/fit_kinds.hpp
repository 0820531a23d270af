#pragma once

#include "holdfast/answers/trace/fit_laws.hpp"
#include "holdfast/traces/formats.hpp"

#include <string>

/// `holdfast trace fit` for traces other than failure logs: one function per kind of trace, with its options as they were
/// typed.
namespace holdfast {

/// The options for states of workers, as they were typed; empty if not given.
struct AvailabilityOptions {
  std::string slot;         ///< length of a slot of the Markov chain
  std::string unavailable;  ///< "down" or "reclaimed": the state of a worker that is not up
};

/// Fits states of workers: a Markov chain on slots of time, and a semi-Markov process with laws of the stays.
[[nodiscard]] Result<Answer> fit_availability(const FormatOf<AvailabilityRecord>& format,
                                              TraceText lines, const AvailabilityOptions& options,
                                              const FitQuestion& question);

/// Fits batch logs: laws of run times and of the times between submissions, and the daily pattern of submissions.
[[nodiscard]] Result<Answer> fit_jobs(const FormatOf<JobLog>& format, TraceText lines,
                                      const FitQuestion& question);

/// Fits models of speedup to measured run times.
/// @param wanted  one program of a table that has several; empty: all
[[nodiscard]] Result<Answer> fit_speedup(const FormatOf<SpeedupTable>& format, TraceText lines,
                                         const std::string& wanted, const FitQuestion& question);

}  // namespace holdfast
