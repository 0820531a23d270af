#include "holdfast/kernel/statistics.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/student.hpp"

#include <algorithm>
#include <array>
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

namespace {

/// Returns a quantile of sorted values of any type.
template <class T>
double quantile_of(std::span<const T> sorted, double probability) {
  assert(!sorted.empty() && probability >= 0 && probability <= 1);
  const double position = static_cast<double>(sorted.size() - 1) * probability;
  const double below = std::floor(position);
  const auto index = static_cast<std::size_t>(below);
  if (index + 1 >= sorted.size()) return static_cast<double>(sorted.back());
  const double part = position - below;
  const auto least = static_cast<double>(sorted[index]);
  // Two equal neighbours give exactly their value in this form.
  return least + part * (static_cast<double>(sorted[index + 1]) - least);
}

/// Returns quantiles of values as quantile_of() does, without sorting all of them, which takes several times as long. Reorders
/// the values.
template <class T>
std::array<double, 5> quantiles_of(std::vector<T>& values) {
  constexpr std::array kProbabilities = {0.10, 0.25, 0.50, 0.75, 0.90};
  std::array<double, 5> out{};
  auto from = values.begin();  // nothing before it is larger than anything from it on
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double position = static_cast<double>(values.size() - 1) * kProbabilities[i];
    const double below = std::floor(position);
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(from, at, values.end());
    from = at;
    // The two values between which quantile_of() interpolates.
    const std::array<T, 2> pair = {
        *at, at + 1 == values.end() ? *at : *std::min_element(at + 1, values.end())};
    out[i] = quantile_of(std::span<const T>(pair), position - below);
  }
  return out;
}

/// Returns a summary of values, which are reordered.
template <class T>
Summary summary_of(const Moments& moments, std::vector<T>& values) {
  const auto [p10, p25, median, p75, p90] = quantiles_of(values);
  return {.count = moments.count(),
          .mean = moments.mean(),
          .standard_error = moments.standard_error(),
          .minimum = moments.minimum(),
          .p10 = p10,
          .p25 = p25,
          .median = median,
          .p75 = p75,
          .p90 = p90,
          .maximum = moments.maximum()};
}

}  // namespace

double quantile(std::span<const double> sorted, double probability) {
  return quantile_of(sorted, probability);
}

std::array<double, 5> usual_quantiles(std::vector<double>& values) {
  assert(!values.empty());
  return quantiles_of(values);
}

void Values::add(double value) {
  moments_.add(value);
  if (value >= 0 && value < 4294967296.0 && value == std::trunc(value)) {
    whole_.push_back(static_cast<std::uint32_t>(value));
  } else {
    others_.push_back(value);
  }
}

std::optional<Summary> Values::summary() && {
  if (moments_.count() == 0) return std::nullopt;
  if (others_.empty()) return summary_of(moments_, whole_);
  others_.insert(others_.end(), whole_.begin(), whole_.end());
  return summary_of(moments_, others_);
}

std::optional<Summary> summarize(std::span<const double> values) {
  Values all;
  for (const double value : values) all.add(value);
  return std::move(all).summary();
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
