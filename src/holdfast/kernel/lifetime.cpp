#include "holdfast/kernel/lifetime.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

namespace holdfast {
namespace {

constexpr auto kSteps = std::to_array<double>({86400, 3600, 600, 300, 60, 1});

}  // namespace

double common_step(std::span<const Lifetime> lives, std::int64_t enough) {
  const auto exact = std::ranges::count_if(lives, [](const Lifetime& l) { return l.is_exact(); });
  if (exact < enough) return 0;
  for (const double step : kSteps) {
    const bool divides = std::ranges::all_of(lives, [step](const Lifetime& life) {
      return !life.is_exact() || std::fmod(life.low, step) == 0;
    });
    if (divides) return step;
  }
  return 0;
}

std::int64_t spread_zeros(std::span<Lifetime> lives, double step) {
  const auto is_zero = [](const Lifetime& life) { return life.high == 0 && life.low == 0; };
  const std::int64_t count = std::ranges::count_if(lives, is_zero);
  if (count == 0) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (const Lifetime& life : lives) {
    for (const double age : {life.low, life.high}) least = age > 0 ? std::min(least, age) : least;
  }
  if (!(step > 0)) {
    std::vector<Lifetime> others;
    std::ranges::remove_copy_if(lives, std::back_inserter(others), is_zero);
    step = common_step(others, 1);
  }
  const double high = step > 0 ? 0.5 * step : least;
  if (!std::isfinite(least) || !std::isfinite(high)) return 0;
  for (Lifetime& life : lives) {
    if (is_zero(life)) life.high = high;
  }
  return count;
}

}  // namespace holdfast
