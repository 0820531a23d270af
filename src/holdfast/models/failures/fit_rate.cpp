#include "holdfast/models/failures/fit_rate.hpp"

#include "holdfast/math/chi_square.hpp"
#include "holdfast/math/sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace holdfast {
namespace {

constexpr double kFewSteps = 100;
constexpr std::int64_t kEnoughFailures = 20;
constexpr auto kSteps = std::to_array<double>({86400, 3600, 600, 300, 60, 1});

double watched_time(const Lifetime& life) {
  const double end = life.is_censored() ? life.low : 0.5 * (life.low + life.high);
  return end - life.entry;
}

double exposure_of(std::span<const Lifetime> lives) {
  CompensatedSum sum;
  for (const Lifetime& life : lives) sum += watched_time(life);
  return sum.value();
}

std::int64_t failures_of(std::span<const Lifetime> lives) {
  return std::ranges::count_if(lives, [](const Lifetime& life) { return !life.is_censored(); });
}

}  // namespace

ObservedRate observed_rate(const WatchedLives& watched, double confidence) {
  ObservedRate out;
  out.failures = failures_of(watched.lives) + failures_of(watched.ageless);
  out.exposure = exposure_of(watched.lives) + exposure_of(watched.ageless);
  const auto n = static_cast<double>(out.failures);
  out.mean = out.exposure / n;
  const double tail = 0.5 * (1 - confidence);
  out.interval = {2 * out.exposure / chi_square_quantile(2 * n + 2, 1 - tail),
                  2 * out.exposure / chi_square_quantile(2 * n, tail)};
  return out;
}

double ageless_share(const WatchedLives& watched) {
  const double ageless = exposure_of(watched.ageless);
  return ageless > 0 ? ageless / (ageless + exposure_of(watched.lives)) : 0;
}

std::vector<Lifetime> within_resolution(std::span<const Lifetime> lives, double resolution) {
  std::vector<Lifetime> out(lives.begin(), lives.end());
  for (Lifetime& life : out) {
    if (!life.is_exact() || !(life.low < kFewSteps * resolution)) continue;
    life.high = life.low + 0.5 * resolution;
    life.low = std::max({0.0, life.entry, life.low - 0.5 * resolution});
  }
  return out;
}

double common_step(std::span<const Lifetime> lives) {
  const auto exact = std::ranges::count_if(lives, [](const Lifetime& l) { return l.is_exact(); });
  if (exact < kEnoughFailures) return 0;
  for (const double step : kSteps) {
    const bool divides = std::ranges::all_of(lives, [step](const Lifetime& life) {
      return !life.is_exact() || std::fmod(life.low, step) == 0;
    });
    if (divides) return step;
  }
  return 0;
}

}  // namespace holdfast
