#include "holdfast/kernel/statistics.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/student.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace holdfast {

void Moments::add(double value) {
  assert(std::isfinite(value));
  ++count_;
  const double distance = value - mean_;
  mean_ += distance / static_cast<double>(count_);
  squares_ += distance * (value - mean_);
  minimum_ = std::min(minimum_, value);
  maximum_ = std::max(maximum_, value);
}

void Moments::merge(const Moments& other) {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    *this = other;
    return;
  }
  const double ours = static_cast<double>(count_);
  const double theirs = static_cast<double>(other.count_);
  const double distance = other.mean_ - mean_;
  mean_ += distance * (theirs / (ours + theirs));
  squares_ += other.squares_ + distance * distance * (ours * theirs / (ours + theirs));
  count_ += other.count_;
  minimum_ = std::min(minimum_, other.minimum_);
  maximum_ = std::max(maximum_, other.maximum_);
}

std::optional<double> Moments::variance() const {
  // The squares of values beyond 1e154 overflow; a variance that cannot be represented is absent.
  if (count_ < 2 || !std::isfinite(squares_)) return std::nullopt;
  return squares_ / static_cast<double>(count_ - 1);
}

std::optional<double> Moments::standard_deviation() const {
  const auto value = variance();
  return value ? std::optional(std::sqrt(*value)) : std::nullopt;
}

std::optional<double> Moments::standard_error() const {
  const auto value = variance();
  return value ? std::optional(std::sqrt(*value / static_cast<double>(count_))) : std::nullopt;
}

double quantile(std::span<const double> sorted, double probability) {
  assert(!sorted.empty() && probability >= 0 && probability <= 1);
  const double position = static_cast<double>(sorted.size() - 1) * probability;
  const double below = std::floor(position);
  const auto index = static_cast<std::size_t>(below);
  if (index + 1 >= sorted.size()) return sorted.back();
  const double part = position - below;
  // Two equal neighbours give exactly their value in this form.
  return sorted[index] + part * (sorted[index + 1] - sorted[index]);
}

std::optional<Summary> summarize(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  Moments moments;
  for (const double value : values) moments.add(value);
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return Summary{.count = moments.count(),
                 .mean = moments.mean(),
                 .standard_error = moments.standard_error(),
                 .minimum = moments.minimum(),
                 .p10 = quantile(sorted, 0.10),
                 .p25 = quantile(sorted, 0.25),
                 .median = quantile(sorted, 0.50),
                 .p75 = quantile(sorted, 0.75),
                 .p90 = quantile(sorted, 0.90),
                 .maximum = moments.maximum()};
}

void GeometricMoments::add(double value) {
  if (value > 0 && std::isfinite(value)) {
    logarithms_.add(elementary::log(value));
  } else {
    ++without_logarithm_;
  }
}

void GeometricMoments::merge(const GeometricMoments& other) {
  logarithms_.merge(other.logarithms_);
  without_logarithm_ += other.without_logarithm_;
}

std::optional<double> GeometricMoments::mean() const {
  if (logarithms_.count() == 0 || without_logarithm_ > 0) return std::nullopt;
  return elementary::exp(logarithms_.mean());
}

std::optional<double> GeometricMoments::standard_deviation() const {
  if (without_logarithm_ > 0) return std::nullopt;
  const auto deviation = logarithms_.standard_deviation();
  return deviation ? std::optional(elementary::exp(*deviation)) : std::nullopt;
}

std::optional<std::array<double, 2>> GeometricMoments::interval() const {
  if (without_logarithm_ > 0) return std::nullopt;
  const auto error = logarithms_.standard_error();
  if (!error) return std::nullopt;
  const double half =
      student_quantile(0.975, static_cast<double>(logarithms_.count() - 1)) * *error;
  return std::array{elementary::exp(logarithms_.mean() - half),
                    elementary::exp(logarithms_.mean() + half)};
}

void PairedRatios::add(double numerator, double denominator) {
  numerators_.add(numerator);
  denominators_.add(denominator);
  ratios_.add(numerator > 0 && denominator > 0 ? numerator / denominator : 0.0);
}

void PairedRatios::merge(const PairedRatios& other) {
  ratios_.merge(other.ratios_);
  numerators_.merge(other.numerators_);
  denominators_.merge(other.denominators_);
}

std::optional<double> PairedRatios::ratio_of_means() const {
  if (count() == 0 || denominators_.mean() == 0) return std::nullopt;
  return numerators_.mean() / denominators_.mean();
}

double kolmogorov_tail(double x) {
  if (x <= 0) return 1;
  if (x < 1.18) {
    // The other form of the same theta function converges fast for small x.
    const double unit = -std::numbers::pi * std::numbers::pi / (8 * x * x);
    double sum = 0;
    for (const double odd : {1.0, 3.0, 5.0, 7.0}) sum += elementary::exp(unit * odd * odd);
    return 1 - std::sqrt(2 * std::numbers::pi) / x * sum;
  }
  double sum = 0;
  double sign = 1;
  for (double j = 1; j <= 6; ++j) {
    sum += sign * elementary::exp(-2 * j * j * x * x);
    sign = -sign;
  }
  return 2 * sum;
}

KolmogorovSmirnov kolmogorov_smirnov(std::span<const double> probabilities) {
  assert(!probabilities.empty());
  const double n = static_cast<double>(probabilities.size());
  double distance = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const double before = static_cast<double>(i) / n;
    const double after = static_cast<double>(i + 1) / n;
    distance = std::max({distance, probabilities[i] - before, after - probabilities[i]});
  }
  const double root = std::sqrt(n);
  const double tail = kolmogorov_tail((root + 0.12 + 0.11 / root) * distance);
  return {.distance = distance, .p_value = std::clamp(tail, 0.0, 1.0)};
}

}  // namespace holdfast
