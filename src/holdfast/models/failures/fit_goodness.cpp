#include "holdfast/models/failures/fit_goodness.hpp"

#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"
#include "holdfast/kernel/statistics.hpp"
#include "holdfast/models/failures/fit_curve.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace holdfast {
namespace {

/// Returns the lives on the time scale on which the law is exponential of mean 1.
std::vector<Lifetime> rescaled(std::span<const Lifetime> lives, const Law& law,
                               std::uint64_t seed) {
  Stream stream{{.seed = seed, .purpose = Purpose::bootstrap}};
  std::vector<Lifetime> out;
  out.reserve(lives.size());
  for (const Lifetime& life : lives) {
    const double entry = law.cumulative_hazard(life.entry);
    const double low = law.cumulative_hazard(life.low);
    if (life.is_censored()) {
      out.push_back(Lifetime::censored(low, entry));
    } else if (life.is_exact()) {
      out.push_back(Lifetime::exact(low, entry));
    } else {
      const double mass = -std::expm1(low - law.cumulative_hazard(life.high));
      out.push_back(Lifetime::exact(low - std::log1p(-mass * stream.uniform()), entry));
    }
  }
  return out;
}

}  // namespace

double brownian_bridge_tail(double x, double end) {
  if (!(x > 0)) return 1;
  if (end >= 1) return kolmogorov_tail(x);
  const double r = x * std::sqrt((1 - end) / end);
  const double d = 1 / (1 - end);
  double inside = 1 - 2 * normal_cumulative(-x / std::sqrt(end * (1 - end)));
  for (int k = 1; k < 1000; ++k) {
    const double damping = std::exp(-2.0 * k * k * x * x);
    inside += (k % 2 == 0 ? 2 : -2) * damping *
              (normal_cumulative(r * (2 * k + d)) - normal_cumulative(r * (2 * k - d)));
    if (damping < 1e-17) break;
  }
  return std::clamp(1 - inside, 0.0, 1.0);
}

GoodnessOfFit kolmogorov_smirnov(std::span<const Lifetime> lives, const Law& law,
                                 std::uint64_t seed) {
  const SurvivalCurve curve{rescaled(lives, law, seed)};
  if (curve.steps().empty()) return {};
  const auto n = static_cast<double>(lives.size());
  GoodnessOfFit out;
  double statistic = 0;
  double before = 1;  // survival just before the step
  double scale = 1;   // (1 - K) / survival there, K = C / (1 + C), C = n times Greenwood's sum
  double end = 0;
  for (const SurvivalStep& step : curve.steps()) {
    const double expected = std::exp(-step.age);
    out.distance =
        std::max({out.distance, std::abs(before - expected), std::abs(step.survival - expected)});
    statistic = std::max(statistic, std::abs(before - expected) * scale);
    if (step.survival > 0) scale = 1 / ((1 + n * step.survival_variance) * step.survival);
    statistic = std::max(statistic, std::abs(step.survival - expected) * scale);
    const double c = n * step.survival_variance;
    end = std::isinf(c) ? 1 : c / (1 + c);
    before = step.survival;
  }
  out.p_value = brownian_bridge_tail(std::sqrt(n) * statistic, end);
  return out;
}

}  // namespace holdfast
