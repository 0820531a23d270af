#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/models/speedup/speedup.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

/// Measured durations of one program on several numbers of processors.
struct SpeedupProfile {
  std::vector<std::int64_t> processors;  ///< numbers of processors, increasing, each >= 1
  std::vector<double> seconds;           ///< durations in seconds, each > 0

  /// Returns the number of points.
  [[nodiscard]] std::size_t size() const { return processors.size(); }
};

/// Makes a profile from measurements in any order. Several measurements with the same number of processors count as their
/// median. An empty list, a number of processors below 1 and a duration that is not positive are errors.
/// @pre processors.size() == seconds.size()
[[nodiscard]] Result<SpeedupProfile> make_profile(std::vector<std::int64_t> processors,
                                                  std::vector<double> seconds);

/// A step of a profile, from one measured number of processors to the next, that violates an assumption of the scheduling
/// algorithms.
struct ProfileFlaw {
  /// The assumption that the step violates.
  enum class Kind : std::uint8_t {
    slower,       ///< more processors take longer
    superlinear,  ///< more processors have less area: more than linear speedup
  };
  Kind kind = Kind::slower;  ///< the violated assumption
  std::size_t step = 0;      ///< the step from point `step` to `step + 1`
  double change = 0;         ///< relative change of the time, or of the area
};

/// Returns all such steps, in order. Measured profiles often have some, and none is silently repaired.
[[nodiscard]] std::vector<ProfileFlaw> profile_flaws(const SpeedupProfile& profile);

/// A model fitted to a profile: its parameters minimise the sum of squared relative errors.
struct SpeedupFit {
  Speedup speedup;  ///< the fitted model, with works in seconds
  /// Relative residuals (model - measured) / measured, one per point.
  std::vector<double> residuals;
  double rms = 0;      ///< root mean square of these ratios
  double worst = 0;    ///< largest absolute value of these ratios
  int parameters = 0;  ///< number of free parameters
};

/// Fits each of roofline, communication, amdahl, mix and power, in this order, unless it has more parameters than there are
/// points. All parameters stay in their ranges: works and overhead are at least 0, the degree of parallelism is a whole number
/// up to the largest measured one, and the exponent is in [0, 1].
[[nodiscard]] std::vector<SpeedupFit> fit_speedups(const SpeedupProfile& profile);

/// Returns the position of the preferred fit: the one with the smallest rms after a penalty for each parameter (Akaike's
/// criterion, corrected for few points if there are enough of them).
/// @pre fits is not empty
[[nodiscard]] std::size_t preferred_fit(const std::vector<SpeedupFit>& fits);

/// The profile as a table of 1 .. `processors`, without assuming more speed than was measured: on p processors the job takes
/// the shortest time measured on any number up to p, and the others idle (so that a measured slowdown is not passed on). Below
/// the smallest measured number, linear speedup is assumed (the same area).
struct ProfileTable {
  Speedup speedup;           ///< the table, in seconds
  std::int64_t assumed = 0;  ///< entries below the smallest measured number
};
/// Returns that table.
[[nodiscard]] ProfileTable profile_table(const SpeedupProfile& profile, std::int64_t processors);

}  // namespace holdfast
