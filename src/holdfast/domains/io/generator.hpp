#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstdint>

namespace holdfast::io {

/// Synthetic windows of the source: iterations of three sizes, with noise. Source: thesis, section 7.6.2.
struct GeneratorParameters {
  std::int64_t applications = 60;
  /// Number of applications with iterations near 1e3 s; a third of all have iterations near 1e4 s, the others near 1e5 s.
  std::int64_t small = 20;
  double load = 0.8;    ///< W: the sum of the fractions of time that they spend on I/O when alone
  double spread = 0.5;  ///< sigma: standard deviation of an iteration's length over its mean
  double noise = 0.5;   ///< nu: every phase is its mean times 1 + U(-nu, nu)
  /// H, seconds: how much each application is given to do; the window ends with the first.
  double length = 2e6;
  /// A whole work phase follows the first, partial one, and not an operation.
  bool work_first = false;
  bool ranks = false;  ///< measure also the mean yields of sixths of the applications
  Reading reading = {};
};

/// Draws one window; application i has a stream of its own. bad_value if one would do nothing but I/O, or where
/// there would be more phases than `most_phases` (asked before there is memory for them).
/// @param key  seed, instance and scenario are taken from it
[[nodiscard]] Result<Instance> generate(const GeneratorParameters& parameters, const StreamKey& key,
                                        double most_phases = 2e7);

}  // namespace holdfast::io
