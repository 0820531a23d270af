#include "holdfast/base/elementary.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace holdfast {
namespace {

/// Below this mean the sum of probabilities is shorter than one trial of a rejection.
constexpr double kInversionMean = 10.0;
/// The number at which inversion gives up and draws again: P(X > 150) < 1e-110 at a mean of 10, and the resolution of a uniform
/// number is 2^-53.
constexpr std::int64_t kInversionLimit = 150;

/// Returns ln(k!) - (k + 1/2) ln(k + 1) + (k + 1) - ln(2 pi)/2, the error of Stirling's formula.
double stirling_rest(double k) {
  static constexpr std::array<double, 10> kTable = {
      0.08106146679532726,  0.04134069595540929, 0.02767792568499834, 0.02079067210376509,
      0.01664469118982119,  0.01387612882307075, 0.01189670994589177, 0.01041126526197209,
      0.009255462182712733, 0.008330563433362871};
  if (k < 10) return kTable[static_cast<std::size_t>(k)];
  const double n = k + 1;
  const double square = n * n;
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / square) / square) / square) / n;
}

/// Sums the probabilities f(0), f(1) ... until they exceed a uniform number, and returns the last argument; next(k) is f(k) /
/// f(k - 1).
template <class Next>
std::int64_t count_up(Stream& stream, double at_zero, std::int64_t limit, Next next) {
  for (;;) {
    double left = stream.uniform();
    double probability = at_zero;
    for (std::int64_t k = 0; k <= limit; ++k) {
      if (k > 0) probability *= next(static_cast<double>(k));
      if (left <= probability) return k;
      left -= probability;
    }
  }
}

/// Draws by algorithm BTRS. @pre p <= 1/2, n p >= 10
double binomial_by_rejection(Stream& stream, double n, double p) {
  const double odds = p / (1 - p);
  const double deviation = std::sqrt(n * p * (1 - p));
  const double b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double centre = n * p + 0.5;
  const double quick = 0.92 - 4.2 / b;
  const double alpha = (2.83 + 5.1 / b) * deviation;
  const double mode = std::floor((n + 1) * p);
  for (;;) {
    const double u = stream.uniform() - 0.5;
    const double v = stream.uniform();
    const double us = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / us + b) * u + centre);
    if (us >= 0.07 && v <= quick) return k;
    if (k < 0 || k > n) continue;
    // ln(f(k) / f(mode)), in which logarithms of numbers near 1 are computed by log1p.
    const double bound = (mode + 0.5) * elementary::log((mode + 1) / (odds * (n - mode + 1))) +
                         (n + 1) * elementary::log1p((k - mode) / (n - k + 1)) +
                         (k + 0.5) * elementary::log(odds * (n - k + 1) / (k + 1)) +
                         stirling_rest(mode) + stirling_rest(n - mode) - stirling_rest(k) -
                         stirling_rest(n - k);
    if (elementary::log(v * alpha / (a / (us * us) + b)) <= bound) return k;
  }
}

/// Draws the number of the rarer outcome. @pre p <= 1/2
std::int64_t binomial_of_rarer(Stream& stream, std::int64_t trials, double p) {
  const double n = static_cast<double>(trials);
  if (n * p >= kInversionMean) {
    return static_cast<std::int64_t>(binomial_by_rejection(stream, n, p));
  }
  const double odds = p / (1 - p);
  return count_up(stream, elementary::exp(n * elementary::log1p(-p)),
                  std::min(trials, kInversionLimit),
                  [&](double k) { return (n - k + 1) / k * odds; });
}

}  // namespace

std::int64_t sample_binomial(Stream& stream, std::int64_t trials, double probability) {
  assert(trials >= 0 && probability >= 0.0 && probability <= 1.0);
  if (trials == 0 || probability == 0.0) return 0;
  if (probability == 1.0) return trials;
  if (probability > 0.5) return trials - binomial_of_rarer(stream, trials, 1 - probability);
  return binomial_of_rarer(stream, trials, probability);
}

std::int64_t sample_geometric(Stream& stream, double probability) {
  assert(probability > 0.0 && probability <= 1.0);
  // The first success comes after floor(E / -log(1 - p)) failures, E exponential of mean 1.
  const double failures =
      std::floor(elementary::log1p(-stream.uniform()) / elementary::log1p(-probability));
  return static_cast<std::int64_t>(std::min(failures, 0x1p62));
}

}  // namespace holdfast
