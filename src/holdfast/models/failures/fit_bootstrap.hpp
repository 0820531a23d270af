#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/stop.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast {

/// The spread of one parameter over resampled data.
struct BootstrapParameter {
  std::string_view name;  ///< name in documents, as in FittedParameter
  /// Standard deviation of the refitted values, in the parameter's unit.
  double standard_error = 0;
  ConfidenceInterval interval;  ///< interval between percentiles of the refitted values
};

/// The spread of all parameters.
struct BootstrapResult {
  std::vector<BootstrapParameter> parameters;  ///< spread of each parameter, in the order of LawFit
  int replicates = 0;                          ///< samples that could be fitted
  int refused = 0;  ///< samples that could not be fitted (too few failures were drawn)
};

/// The number of samples and their seed.
struct BootstrapOptions {
  int replicates = 1000;     ///< number of samples, at least 2
  std::uint64_t seed = 1;    ///< seed of the resampling
  double confidence = 0.95;  ///< confidence of the intervals, in (0, 1)
  Stop stop = {};            ///< request to stop, checked before each refit
};

/// Refits a law to samples drawn with replacement. If units (nodes) are given, they are drawn as a whole: nodes that differ
/// from each other then widen the intervals, whereas likelihood intervals ignore such differences. It is an error if fewer than
/// half of the samples can be fitted, or if the fit was stopped (interrupted).
/// @param first_of_unit  lives [first_of_unit[i], first_of_unit[i + 1]) belong together; empty: each life is a unit
[[nodiscard]] Result<BootstrapResult> bootstrap(LawFamily family, std::span<const Lifetime> lives,
                                                std::span<const std::size_t> first_of_unit,
                                                const BootstrapOptions& options);

}  // namespace holdfast
