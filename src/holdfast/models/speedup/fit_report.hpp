#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/models/speedup/profile.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The models fitted to a profile, as data for programs and as rows for people. Both `moldable fit` and `trace fit` report them
/// in this form.
namespace holdfast {

/// The fits of one program, and their report.
struct SpeedupReport {
  std::string title;  ///< the name of the program; "the program" if it has none
  /// The fits; empty if there is only one number of processors, which is too few for a model.
  std::vector<SpeedupFit> fits;
  std::size_t preferred = 0;  ///< position of the preferred fit
  /// The document {name, processors, seconds, fits: [{speedup, parameters, rms, largest, residuals}], preferred}.
  Value document;
  /// Rows of model, parameters with standard errors, errors in percent (rms, largest), and "preferred" or an empty text.
  std::vector<std::vector<Value>> rows;
};

/// Fits every model to the profile.
/// @param name  the name of the program; may be empty
[[nodiscard]] SpeedupReport report_speedup(std::string_view name, const SpeedupProfile& profile);

/// Returns the preferred fit as "amdahl, parallel_work 1174 +- 57, sequential_work 80 +- 9".
/// @pre there is a fit
[[nodiscard]] std::string best_in_words(const SpeedupReport& report);

/// Returns the warning about a profile without a fit.
[[nodiscard]] std::string too_few_for_fit(const SpeedupReport& report);

}  // namespace holdfast
