#include "holdfast/models/failures/fit_goodness.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"
#include "holdfast/kernel/statistics.hpp"
#include "holdfast/models/failures/fit_curve.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace holdfast {
namespace {

/// A step counts for the distance if this many lives are at risk, or this share of those that would be without censoring. Beyond,
/// one failure of an old life moves the curve by as much as it likes.
constexpr double kEnoughAtRisk = 20;
constexpr double kShareAtRisk = 0.25;

/// Lives in all draws together, above one draw, and the largest number of draws.
constexpr std::size_t kDrawnLives = 1 << 15;
constexpr std::size_t kMostDraws = 32;

/// Returns the lives on the time scale on which the law is exponential of mean 1.
std::vector<Lifetime> rescaled(std::span<const Lifetime> lives, const Law& law, std::size_t draw) {
  Stream stream{{.purpose = Purpose::bootstrap, .scenario = draw}};
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
      const double mass = -elementary::expm1(low - law.cumulative_hazard(life.high));
      out.push_back(Lifetime::exact(low - elementary::log1p(-mass * stream.uniform()), entry));
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
    const double damping = elementary::exp(-2.0 * k * k * x * x);
    inside += (k % 2 == 0 ? 2 : -2) * damping *
              (normal_cumulative(r * (2 * k + d)) - normal_cumulative(r * (2 * k - d)));
    if (damping < 1e-17) break;
  }
  return std::clamp(1 - inside, 0.0, 1.0);
}

namespace {

GoodnessOfFit of_draw(std::span<const Lifetime> lives, const Law& law, std::size_t draw) {
  const SurvivalCurve curve{rescaled(lives, law, draw)};
  if (curve.steps().empty()) return {};
  const auto n = static_cast<double>(lives.size());
  GoodnessOfFit out;
  double statistic = 0;
  double before = 1;  // survival just before the step
  double scale = 1;   // (1 - K) / survival there, K = C / (1 + C), C = n times Greenwood's sum
  double end = 0;
  for (const SurvivalStep& step : curve.steps()) {
    const double expected = elementary::exp(-step.age);
    if (static_cast<double>(step.at_risk) >= std::min(kEnoughAtRisk, kShareAtRisk * n * before)) {
      out.distance =
          std::max({out.distance, std::abs(before - expected), std::abs(step.survival - expected)});
    }
    statistic = std::max(statistic, std::abs(before - expected) * scale);
    // Where all fail, the limit of (1 - K) / S.
    scale = step.survival > 0 ? 1 / ((1 + n * step.survival_variance) * step.survival)
                              : static_cast<double>(step.at_risk) / (n * before);
    statistic = std::max(statistic, std::abs(step.survival - expected) * scale);
    const double c = n * step.survival_variance;
    end = std::isinf(c) ? 1 : c / (1 + c);
    before = step.survival;
  }
  out.p_value = brownian_bridge_tail(std::sqrt(n) * statistic, end);
  return out;
}

}  // namespace

GoodnessOfFit kolmogorov_smirnov(std::span<const Lifetime> lives, const Law& law) {
  const bool is_drawn = std::ranges::any_of(
      lives, [](const Lifetime& life) { return !life.is_exact() && !life.is_censored(); });
  const std::size_t draws =
      is_drawn ? std::clamp<std::size_t>(kDrawnLives / lives.size(), 1, kMostDraws) : 1;
  GoodnessOfFit out{.distance = 0, .p_value = 0};
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const GoodnessOfFit one = of_draw(lives, law, draw);
    out.distance += one.distance / static_cast<double>(draws);
    out.p_value += one.p_value / static_cast<double>(draws);
  }
  return out;
}

}  // namespace holdfast
