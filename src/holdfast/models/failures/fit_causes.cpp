#include "holdfast/models/failures/fit_causes.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

/// Fewer events than these say nothing.
constexpr std::int64_t kFewest = 10;

// The probability that a standard normal number is at least z.
double above(double z) {
  return 0.5 * elementary::erfc(z / std::sqrt(2.0));
}

/// Events that are there or not, each with its own probability.
struct Trials {
  double count = 0;
  double seen = 0;
  double expected = 0;
  double variance = 0;

  void add(bool is_there, double probability) {
    ++count;
    seen += is_there ? 1 : 0;
    expected += probability;
    variance += probability * (1 - probability);
  }
  // By the normal limit, with the usual correction of half an event.
  [[nodiscard]] std::optional<CauseTest> test() const {
    if (count < kFewest || !(variance > 0)) return std::nullopt;
    return CauseTest{.seen = seen / count,
                     .expected = expected / count,
                     .p_value = above((seen - 0.5 - expected) / std::sqrt(variance))};
  }
};

using ByUnit = std::vector<std::vector<UnitOutage>>;  // of each unit, by its number

// Pearson's correlation; its variance under any exchange of the units is 1 / (n - 1).
std::optional<CauseTest> halves(const ByUnit& by_unit, std::int64_t units, double middle) {
  double first = 0, second = 0, squares_first = 0, squares_second = 0, products = 0;
  for (const std::vector<UnitOutage>& outages : by_unit) {
    const auto before = static_cast<double>(std::ranges::count_if(
        outages, [middle](const UnitOutage& one) { return one.down < middle; }));
    const auto after = static_cast<double>(outages.size()) - before;
    first += before;
    second += after;
    squares_first += before * before;
    squares_second += after * after;
    products += before * after;
  }
  const auto n = static_cast<double>(units);
  if (units < kFewest || std::min(first, second) < static_cast<double>(kFewest))
    return std::nullopt;
  const double spread =
      (squares_first - first * first / n) * (squares_second - second * second / n);
  if (!(spread > 0)) return std::nullopt;
  const double correlation = (products - first * second / n) / std::sqrt(spread);
  return CauseTest{
      .seen = correlation, .expected = 0, .p_value = above(correlation * std::sqrt(n - 1))};
}

// A unit that is worse for good also fails sooner after a repair, so each unit is compared with its own rate.
std::optional<CauseTest> repairs(const ByUnit& by_unit, double from, double to) {
  Trials trials;
  for (const std::vector<UnitOutage>& outages : by_unit) {
    if (outages.empty()) continue;
    double up = to - from;
    for (const UnitOutage& one : outages) up -= std::min(one.up, to) - one.down;
    if (!(up > 0)) continue;
    const double chance =
        -elementary::expm1(-static_cast<double>(outages.size()) / up * kSoonAfterRepair);
    for (std::size_t i = 0; i < outages.size(); ++i) {
      const double next =
          i + 1 < outages.size() ? outages[i + 1].down : std::numeric_limits<double>::infinity();
      if (!(outages[i].up + kSoonAfterRepair <= to)) continue;
      trials.add(next < outages[i].up + kSoonAfterRepair, chance);
    }
  }
  return trials.test();
}

std::optional<CauseTest> together(std::span<const UnitOutage> outages, double from, double to) {
  Trials trials;
  const double chance =
      -elementary::expm1(-static_cast<double>(outages.size()) / (to - from) * kTogether);
  for (std::size_t i = 1; i < outages.size(); ++i) {
    const bool is_other = outages[i].unit != outages[i - 1].unit;
    trials.add(is_other && outages[i].down - outages[i - 1].down < kTogether, chance);
  }
  return trials.test();
}

std::optional<CauseTest> infancy(const ByUnit& by_unit, std::span<const UnitOutage> begun,
                                 double rate, double to) {
  double seen = 0;
  double watched = 0;
  for (const UnitOutage& one : begun) {
    const double until = std::min(one.down + kInfancy, to);
    watched += until - one.down;
    if (one.unit >= by_unit.size()) continue;
    seen += static_cast<double>(std::ranges::count_if(
        by_unit[one.unit], [&](const UnitOutage& failure) { return failure.down < until; }));
  }
  const double expected = rate * watched;
  if (static_cast<std::int64_t>(begun.size()) < kFewest || !(expected > 0)) return std::nullopt;
  return CauseTest{.seen = seen,
                   .expected = expected,
                   .p_value = above((seen - 0.5 - expected) / std::sqrt(expected))};
}

}  // namespace

CauseTests cause_tests(std::span<const UnitOutage> outages, std::int64_t units, double from,
                       double to, std::span<const UnitOutage> begun) {
  ByUnit by_unit;
  for (const UnitOutage& one : outages) {
    if (one.unit >= by_unit.size()) by_unit.resize(one.unit + std::size_t{1});
    by_unit[one.unit].push_back(one);
  }
  const double exposure = static_cast<double>(units) * (to - from);
  if (!(exposure > 0)) return {};
  return {.lemon = halves(by_unit, units, 0.5 * (from + to)),
          .failed_repair = repairs(by_unit, from, to),
          .infant = infancy(by_unit, begun, static_cast<double>(outages.size()) / exposure, to),
          .cascade = together(outages, from, to)};
}

}  // namespace holdfast
