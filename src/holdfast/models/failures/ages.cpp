#include "holdfast/models/failures/ages.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/octave_table.hpp"
#include "holdfast/math/sum.hpp"

#include <algorithm>
#include <cassert>

namespace holdfast {
namespace {

constexpr std::size_t kExactYoungest = 10;
constexpr int kBinResolution = 4;  // 16 bins per octave

}  // namespace

std::int64_t Ages::processors() const {
  std::int64_t sum = 0;
  for (const AgeGroup& group : groups) sum += group.count;
  return sum;
}

Ages make_ages(std::vector<AgeGroup> groups, std::size_t never_failed) {
  const bool is_known = never_failed < groups.size();
  const double never_failed_age = is_known ? groups[never_failed].age : 0;
  std::sort(groups.begin(), groups.end(),
            [](const AgeGroup& a, const AgeGroup& b) { return a.age < b.age; });
  Ages ages;
  for (const AgeGroup& group : groups) {
    assert(group.age >= 0 && group.count >= 1);
    if (!ages.groups.empty() && ages.groups.back().age == group.age) {
      ages.groups.back().count += group.count;
    } else {
      ages.groups.push_back(group);
    }
    if (is_known && group.age == never_failed_age) ages.never_failed = ages.groups.size() - 1;
  }
  return ages;
}

Ages same_age(std::int64_t processors, double age) {
  return make_ages({{.age = age, .count = processors}}, 0);
}

std::vector<AgeGroup> ages_in_service(const Law& law, std::int64_t processors) {
  // The integral of P(X >= x) by the trapezoidal rule in ln x, from where it is negligible to where nothing is alive.
  constexpr int kPoints = 20'000;
  constexpr double kFirst = 1e-12;  // of the mean
  const double step =
      elementary::log(law.inverse_cumulative_hazard(40) / (kFirst * law.mean())) / kPoints;
  std::vector<double> ages;
  std::vector<double> below;
  for (int i = 0; i <= kPoints; ++i) {
    ages.push_back(kFirst * law.mean() * elementary::exp(i * step));
    const double height = ages.back() * law.survival(ages.back());
    const double before =
        i == 0 ? ages.back() : ages[ages.size() - 2] * law.survival(ages[ages.size() - 2]);
    below.push_back(i == 0 ? ages.back() : below.back() + step * (height + before) / 2);
  }
  const std::int64_t groups = std::min<std::int64_t>(processors, 1000);
  std::vector<AgeGroup> out;
  for (std::int64_t i = 0; i < groups; ++i) {
    const double part = (static_cast<double>(i) + 0.5) / static_cast<double>(groups);
    const auto place = std::ranges::lower_bound(below, part * below.back());
    out.push_back({.age = ages[static_cast<std::size_t>(place - below.begin())],
                   .count = processors * (i + 1) / groups - processors * i / groups});
  }
  return out;
}

Ages compressed(const Ages& ages) {
  if (ages.groups.size() <= kExactGroups) return ages;
  Ages out;
  const OctaveGrid grid{kBinResolution};
  std::int64_t bin = 0;
  double weighted_age = 0;
  bool is_open = false;  // the last group of `out` is a bin to which more ages may be added
  const auto close = [&] {
    if (!is_open) return;
    AgeGroup& group = out.groups.back();
    group.age = weighted_age / static_cast<double>(group.count);
    is_open = false;
  };
  for (std::size_t i = 0; i < ages.groups.size(); ++i) {
    const AgeGroup& group = ages.groups[i];
    if (i < kExactYoungest || i == ages.never_failed || group.age == 0) {
      close();
      if (i == ages.never_failed) out.never_failed = out.groups.size();
      out.groups.push_back(group);
      continue;
    }
    const std::int64_t its_bin = grid.cell(group.age);
    if (!is_open || its_bin != bin) {
      close();
      bin = its_bin;
      weighted_age = 0;
      is_open = true;
      out.groups.push_back({.age = group.age, .count = 0});
    }
    out.groups.back().count += group.count;
    weighted_age += group.age * static_cast<double>(group.count);
  }
  close();
  return out;
}

HazardValue platform_hazard(const Law& law, const Ages& ages, double x) {
  CompensatedSum cumulative;
  CompensatedSum hazard;
  CompensatedSum slope;
  for (const AgeGroup& group : ages.groups) {
    const auto count = static_cast<double>(group.count);
    const HazardValue value = law.at(group.age + x);
    cumulative += count * (value.cumulative - law.cumulative_hazard(group.age));
    hazard += count * value.hazard;
    slope += count * value.slope;
  }
  return {cumulative.value(), hazard.value(), slope.value()};
}

double platform_cumulative_hazard(const Law& law, const Ages& ages, double x) {
  CompensatedSum sum;
  for (const AgeGroup& group : ages.groups) {
    sum += static_cast<double>(group.count) *
           (law.cumulative_hazard(group.age + x) - law.cumulative_hazard(group.age));
  }
  return sum.value();
}

void platform_cumulative_hazards(const Law& law, const Ages& ages, std::span<const double> x,
                                 std::span<double> out) {
  assert(x.size() == out.size());
  std::vector<CompensatedSum> sums(x.size());
  std::vector<double> buffer(x.size());
  for (const AgeGroup& group : ages.groups) {
    const auto count = static_cast<double>(group.count);
    const double now = law.cumulative_hazard(group.age);
    for (std::size_t i = 0; i < x.size(); ++i) buffer[i] = group.age + x[i];
    law.cumulative_hazards(buffer, buffer);
    for (std::size_t i = 0; i < x.size(); ++i) sums[i] += count * (buffer[i] - now);
  }
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = sums[i].value();
}

}  // namespace holdfast
