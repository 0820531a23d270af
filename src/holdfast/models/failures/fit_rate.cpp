#include "holdfast/models/failures/fit_rate.hpp"

#include "holdfast/math/chi_square.hpp"
#include "holdfast/math/sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast {
namespace {

constexpr double kFewSteps = 100;

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

void see_to_end_of_step(std::span<Lifetime> lives, double resolution) {
  for (Lifetime& life : lives) {
    if (life.is_censored() && life.low < kFewSteps * resolution) life.low += 0.5 * resolution;
  }
}

}  // namespace holdfast
