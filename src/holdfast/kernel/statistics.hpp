#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace holdfast {

/// Count, mean, variance, minimum and maximum of values that are added one by one. Parts can be merged. The last bits of the
/// result depend on the order of the merges, so merge in a fixed order (that of cells, never that of threads). Source: Welford
/// 1962; Chan, Golub and LeVeque 1983 for merge().
class Moments {
 public:
  /// Adds a value.
  /// @pre it is finite
  void add(double value);
  /// Adds all values of another object.
  void merge(const Moments& other);

  /// Returns the number of values.
  [[nodiscard]] std::int64_t count() const { return count_; }
  /// Return mean, minimum and maximum in the unit of the values.
  /// @pre count() > 0
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double minimum() const { return minimum_; }
  [[nodiscard]] double maximum() const { return maximum_; }
  /// Return the unbiased variance (which divides by n - 1) and quantities derived from it; nothing for fewer than two values.
  [[nodiscard]] std::optional<double> variance() const;
  [[nodiscard]] std::optional<double> standard_deviation() const;
  /// Returns the standard error of the mean, standard deviation / sqrt(n).
  [[nodiscard]] std::optional<double> standard_error() const;

 private:
  std::int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of squared distances to the mean
  double minimum_ = std::numeric_limits<double>::infinity();
  double maximum_ = -std::numeric_limits<double>::infinity();
};

/// Returns a quantile of values in increasing order, by linear interpolation between order statistics:
/// with h = (n - 1) p, the value at h (type 7 of Hyndman and Fan 1996).
/// @pre not empty, 0 <= probability <= 1
[[nodiscard]] double quantile(std::span<const double> sorted, double probability);

/// Returns the quantiles of probabilities 0.1, 0.25, 0.5, 0.75 and 0.9, as quantile() does of sorted values, in a fraction of the
/// time that sorting takes. Reorders the values.
/// @pre not empty
[[nodiscard]] std::array<double, 5> usual_quantiles(std::vector<double>& values);

/// The summary of one metric, in its unit: the members of a results document (interface, section 2).
struct Summary {
  std::int64_t count = 0;  ///< number of values
  double mean = 0;         ///< arithmetic mean
  /// Standard error of the mean; nothing for one value.
  std::optional<double> standard_error = std::nullopt;
  double minimum = 0;  ///< smallest value
  double p10 = 0;      ///< quantile of probability 0.1
  double p25 = 0;      ///< quantile of probability 0.25
  double median = 0;   ///< quantile of probability 0.5
  double p75 = 0;      ///< quantile of probability 0.75
  double p90 = 0;      ///< quantile of probability 0.9
  double maximum = 0;  ///< largest value
};

/// Summarises the values in the order given, on which the last bits of the mean depend; nothing if there are none.
[[nodiscard]] std::optional<Summary> summarize(std::span<const double> values);

/// Values that are summarised when all of them were added. Whole ones below 2^32, such as seconds, take 4 bytes each: there may
/// be millions.
class Values {
 public:
  void reserve(std::size_t count) { whole_.reserve(count); }
  /// Adds a value.
  /// @pre it is finite
  void add(double value);
  /// Returns what summarize() does of the values in the order in which they were added.
  [[nodiscard]] std::optional<Summary> summary() &&;

 private:
  Moments moments_;
  std::vector<std::uint32_t> whole_;
  std::vector<double> others_;
};

/// Geometric mean and geometric standard deviation of positive values, from the moments of their logarithms. Values of 0 or
/// less have no logarithm: they are counted, and then there are no results.
class GeometricMoments {
 public:
  /// Adds a value.
  void add(double value);
  /// Adds all values of another object.
  void merge(const GeometricMoments& other);

  /// Returns the number of values, including those without a logarithm.
  [[nodiscard]] std::int64_t count() const { return logarithms_.count() + without_logarithm_; }
  /// Returns the geometric mean; nothing if there is no value or one of them is not positive.
  [[nodiscard]] std::optional<double> mean() const;
  /// Returns exp(standard deviation of the logarithms), which is 1 or more; nothing for fewer than two values.
  [[nodiscard]] std::optional<double> standard_deviation() const;
  /// Returns the 95 % confidence interval of the geometric mean, exp of Student's interval of the mean logarithm; nothing for
  /// fewer than two values.
  [[nodiscard]] std::optional<std::array<double, 2>> interval() const;

 private:
  Moments logarithms_;
  std::int64_t without_logarithm_ = 0;
};

/// A comparison of two strategies that saw the same failures, by the ratios numerator / denominator of each pair.
class PairedRatios {
 public:
  /// Adds a pair.
  /// @pre both are finite
  void add(double numerator, double denominator);
  /// Adds all pairs of another object.
  void merge(const PairedRatios& other);

  /// Returns the number of pairs.
  [[nodiscard]] std::int64_t count() const { return numerators_.count(); }
  /// Returns the ratios of the pairs. A pair with a value of 0 or less has no ratio, and then there is no geometric mean.
  [[nodiscard]] const GeometricMoments& ratios() const { return ratios_; }
  /// Returns the mean of the numerators divided by the mean of the denominators; nothing if the latter is 0 or no pair was
  /// added.
  [[nodiscard]] std::optional<double> ratio_of_means() const;

 private:
  GeometricMoments ratios_;
  Moments numerators_;
  Moments denominators_;
};

/// The result of a Kolmogorov-Smirnov test, which compares the steps of a sample with a cumulative distribution.
struct KolmogorovSmirnov {
  double distance = 0;  ///< the largest distance D_n, in [0, 1]
  double p_value = 1;   ///< probability of a distance at least as large if the law is the right one
};

/// Compares a sample with the law whose cumulative probabilities at the sorted sample are given.
/// The p-value is Kolmogorov's limit with Stephens's correction, right to about 0.01 for n >= 5.
/// @param probabilities  F(x_1) <= F(x_2) <= ..., in [0, 1]; not empty
[[nodiscard]] KolmogorovSmirnov kolmogorov_smirnov(std::span<const double> probabilities);

/// Returns P(sqrt(n) D_n > x) in the limit of large n.
[[nodiscard]] double kolmogorov_tail(double x);

}  // namespace holdfast
