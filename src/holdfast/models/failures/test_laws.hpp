#pragma once

#include "holdfast/models/failures/law.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

/// Laws and comparisons for tests.
namespace holdfast {

/// Ten years in seconds.
inline constexpr double kTenYears = 315360000;

/// Returns the eight laws of the thesis's campaign (section 5.6).
[[nodiscard]] inline std::vector<Law> campaign_laws(double mean = kTenYears) {
  return {exponential_law(mean),
          weibull_law_of_mean(0.5, mean),
          weibull_law_of_mean(0.7, mean),
          weibull_law_of_mean(1.5, mean),
          gamma_law_of_mean(0.5, mean),
          gamma_law_of_mean(0.7, mean),
          lognormal_law_of_ratio(mean, 2.51),
          lognormal_law_of_ratio(mean, 9.34)};
}

/// Returns true if two numbers agree within a relative error (doctest's Approx adds an absolute one).
[[nodiscard]] inline bool is_near(double value, double reference, double relative) {
  return std::abs(value - reference) <= relative * std::abs(reference);
}

/// Returns the Kolmogorov-Smirnov statistic: the largest distance between a distribution function and the empirical one, times
/// sqrt(n). It exceeds 1.95 in 0.1 % of all samples.
[[nodiscard]] inline double kolmogorov(std::vector<double> values,
                                       const std::function<double(double)>& probability) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double p = probability(values[i]);
    worst = std::max({worst, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
  }
  return worst * std::sqrt(n);
}

}  // namespace holdfast
