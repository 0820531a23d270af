#pragma once

#include "holdfast/answers/trace/fit_laws.hpp"
#include "holdfast/traces/formats.hpp"

#include <string>

/// `holdfast trace fit` of what is no failure log: one function per kind of trace, each with its options as they were typed.
namespace holdfast {

struct AvailabilityOptions {
  std::string slot;
  std::string unavailable;
};

/// States of workers: a Markov chain on slots of time, and a semi-Markov process with laws of the stays.
[[nodiscard]] Result<FitOutcome> fit_availability(const FormatOf<AvailabilityRecord>& format,
                                                  LineReader lines,
                                                  const AvailabilityOptions& options,
                                                  const FitQuestion& question);

/// Batch logs: laws of run times and of the times between submissions, and how submissions follow the day.
[[nodiscard]] Result<FitOutcome> fit_jobs(const FormatOf<JobLog>& format, LineReader lines,
                                          const FitQuestion& question);

/// Measured run times: models of speedup. @param wanted  one program of a table that has several; empty: all
[[nodiscard]] Result<FitOutcome> fit_speedup(const FormatOf<SpeedupTable>& format, LineReader lines,
                                             const std::string& wanted,
                                             const FitQuestion& question);

}  // namespace holdfast
