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

/// What resampling says of one parameter.
struct BootstrapParameter {
  std::string_view name;
  double standard_error = 0;
  ConfidenceInterval interval;  ///< percentiles
};

struct BootstrapResult {
  std::vector<BootstrapParameter> parameters;  ///< as in LawFit
  int replicates = 0;                          ///< that could be fitted
  int refused = 0;                             ///< that could not (too few failures were drawn)
};

struct BootstrapOptions {
  int replicates = 1000;  ///< >= 2
  std::uint64_t seed = 1;
  double confidence = 0.95;
  Stop stop = {};  ///< looked at before each refit
};

/// Refits a law to samples drawn with replacement. Units (nodes) are drawn whole where they are given: nodes that differ
/// from each other then widen the intervals, which those of the likelihood do not know of.
/// @param first_of_unit  lives [first_of_unit[i], first_of_unit[i + 1]) belong together; empty: each life for itself
/// Errors: fewer than half of the samples could be fitted; stopped (interrupted).
[[nodiscard]] Result<BootstrapResult> bootstrap(LawFamily family, std::span<const Lifetime> lives,
                                                std::span<const std::size_t> first_of_unit,
                                                const BootstrapOptions& options);

}  // namespace holdfast
