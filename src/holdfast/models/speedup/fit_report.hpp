#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/models/speedup/profile.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The models fitted to a profile as data for programs and rows for people: what `moldable fit` and `trace fit` say.
namespace holdfast {

struct SpeedupReport {
  std::string title;             ///< the name of what ran; "the program" where it has none
  std::vector<SpeedupFit> fits;  ///< none: one number of processors is too few for a model
  std::size_t preferred = 0;     ///< position of the one to take
  /// {name, processors, seconds, fits: [{speedup, parameters, rms, largest, residuals}], preferred}
  Value document;
  /// Model, parameters with standard errors, errors in percent (rms, largest), "preferred" or nothing.
  std::vector<std::vector<Value>> rows;
};

/// Fits every model to the profile. @param name  what ran; may be empty
[[nodiscard]] SpeedupReport report_speedup(std::string_view name, const SpeedupProfile& profile);

/// "amdahl, parallel_work 1174 +- 57, sequential_work 80 +- 9": the one to take. @pre there is one
[[nodiscard]] std::string best_in_words(const SpeedupReport& report);

/// What to warn of where there is no fit.
[[nodiscard]] std::string too_few_for_fit(const SpeedupReport& report);

}  // namespace holdfast
