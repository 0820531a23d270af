#pragma once

#include "holdfast/models/speedup/profile.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace holdfast {

/// One number of a fitted speedup model, under its name in documents.
struct SpeedupParameter {
  std::string_view name;
  double value = 0;
  /// From the Jacobian of the relative residuals and their variance (divided by points - parameters), max_parallelism
  /// taken as any real number. Absent where there are no more points than parameters, where the value lies on the edge of
  /// its range (0, or no measured number of processors beyond max_parallelism) and where the points do not tell it from the
  /// others.
  std::optional<double> standard_error;
};

/// The parameters of a fit with their standard errors.
/// @param fit  of that profile, by fit_speedups()
[[nodiscard]] std::vector<SpeedupParameter> fitted_parameters(const SpeedupProfile& profile,
                                                              const SpeedupFit& fit);

}  // namespace holdfast
