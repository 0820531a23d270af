#pragma once

#include "holdfast/answers/trace/fit_kinds.hpp"
#include "holdfast/answers/trace/source.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/models/failures/fit.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// The options of `holdfast trace fit`. Which of them apply depends on the contents of the file.
struct TraceFitOptions {
  TraceSource source;
  LifetimeOptions lifetimes;
  AvailabilityOptions availability;
  std::string resolution;
  std::string at;
  std::string series;
  std::string law;
  std::optional<std::int64_t> bootstrap;

  /// Return what was asked for, or an error that names the option: laws (none: all), the number of replicates of the bootstrap
  /// (0: none), the step of rounded ages in seconds (0: none), and what a fit computes.
  [[nodiscard]] Result<std::vector<LawFamily>> laws() const;
  [[nodiscard]] Result<int> replicates() const;
  [[nodiscard]] Result<double> step() const;
  [[nodiscard]] Result<FitOptions> asked() const;
};
/// Returns the table of these options.
[[nodiscard]] const Fields<TraceFitOptions>& fit_options();

}  // namespace holdfast
