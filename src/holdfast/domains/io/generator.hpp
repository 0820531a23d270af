#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstdint>

namespace holdfast::io {

/// The synthetic windows of the source: iterations of three lengths, with noise. Source: thesis, section 7.6.2.
struct GeneratorParameters {
  std::int64_t applications = 60;
  /// Number of applications with iterations near 1e3 s. A third of all have iterations near 1e4 s, and the rest near 1e5 s.
  std::int64_t small = 20;
  double load = 0.8;  ///< W: sum of the fractions of time that applications spend on I/O when alone
  double spread = 0.5;  ///< sigma: standard deviation of an iteration's length divided by its mean
  double noise = 0.5;   ///< nu: every phase is its mean times 1 + U(-nu, nu)
  /// H, seconds: the length of each application's work; the window ends with the first application to finish.
  double length = 2e6;
  /// True: the partial work phase at the start is followed by a whole work phase. False: by an operation.
  bool work_first = false;
  bool ranks = false;  ///< also measure the mean yields of sixths of the applications
  Reading reading = {};
};

/// Draws one window; application i has its own stream. The result is bad_value if an application would do nothing but I/O, or
/// if there would be more than `most_phases` phases (this is checked before memory is allocated).
/// @param key  seed, instance and scenario are taken from it
[[nodiscard]] Result<Instance> generate(const GeneratorParameters& parameters, const StreamKey& key,
                                        double most_phases = 2e7);

}  // namespace holdfast::io
