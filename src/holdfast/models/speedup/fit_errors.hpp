#pragma once

#include "holdfast/models/speedup/profile.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace holdfast {

/// One parameter of a fitted speedup model, under its name in documents.
struct SpeedupParameter {
  std::string_view name;  ///< the name: "parallel_work"
  double value = 0;       ///< the value, in seconds for works and overheads
  /// The standard error, from the Jacobian of the relative residuals and their variance (divided by points - parameters), with
  /// max_parallelism treated as a real number. It is absent if there are no more points than parameters, if the value lies at
  /// the edge of its range (0, or no measured number of processors beyond max_parallelism), or if the points do not separate
  /// this parameter from the others.
  std::optional<double> standard_error;
};

/// Returns the parameters of a fit with their standard errors.
/// @param fit  a result of fit_speedups() for that profile
[[nodiscard]] std::vector<SpeedupParameter> fitted_parameters(const SpeedupProfile& profile,
                                                              const SpeedupFit& fit);

}  // namespace holdfast
