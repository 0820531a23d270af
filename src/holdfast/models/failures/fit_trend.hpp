#pragma once

#include "holdfast/kernel/lifetime.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>

namespace holdfast {

/// A test of a hypothesis: its statistic, and the probability of one at least as far away if the hypothesis holds.
struct TestResult {
  double statistic = 0;
  double p_value = 1;
};

/// What the failures of many repaired units say without any law of their lives. All tests assume that failures strike at one
/// constant rate, and ask whether that is so.
struct RecurrenceTests {
  std::map<std::int64_t, std::int64_t>
      units_by_count;  ///< number of units with each number of failures
  /// Chi-squared test of one rate for all units, n - 1 degrees of freedom; nothing for fewer than 2 units or no failure.
  std::optional<TestResult> dispersion;
  /// Chi-squared over its degrees of freedom: 1 if failures strike at random, more if units differ.
  double dispersion_index = 1;
  /// Laplace's test of a trend: positive if failures become more frequent. Nothing without failures inside their windows.
  std::optional<TestResult> laplace;
  /// The power-law process of Crow (AMSAA): intensity proportional to t^(shape - 1); above 1: failures become more frequent.
  double power_shape = 1;
  std::optional<TestResult> power;  ///< chi-squared test of shape 1, 2n degrees of freedom
};

/// Tests the failures of units in their windows of observation.
/// Source: Cox and Lewis 1966, The Statistical Analysis of Series of Events (Laplace); Crow 1974, Reliability and Biometry,
/// 379-410; MIL-HDBK-189.
[[nodiscard]] RecurrenceTests recurrence_tests(std::span<const WatchedUnit> units);

}  // namespace holdfast
