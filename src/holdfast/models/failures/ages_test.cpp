#include "holdfast/models/failures/ages.hpp"

#include "holdfast/models/failures/test_laws.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

using namespace holdfast;

namespace {

constexpr double kDay = 86400;

/// A platform of 1e5 processors as its own life makes it: ages after `days`, most never failed.
Ages aged_platform(const Law& law, double days) {
  const double now = days * kDay;
  Stream stream({.seed = 5, .purpose = Purpose::tool});
  std::vector<AgeGroup> groups{{.age = now, .count = 0}};
  for (int i = 0; i < 100000; ++i) {
    double renewed = 0;
    for (double t = 0; t < now; t += law.draw(stream)) renewed = t;
    if (renewed == 0) {
      ++groups[0].count;
    } else {
      groups.push_back({.age = now - renewed, .count = 1});
    }
  }
  return make_ages(groups, 0);
}

}  // namespace

TEST_CASE("make_ages: sorts, merges equal ages, follows the never-failed group") {
  const Ages ages = make_ages({{30, 2}, {100, 5}, {7, 1}, {30, 3}}, 1);
  CHECK(ages.groups == std::vector<AgeGroup>{{7, 1}, {30, 5}, {100, 5}});
  CHECK(ages.never_failed == 2);
  CHECK(ages.processors() == 11);
  CHECK(ages.youngest() == 7);
  CHECK(make_ages({{1, 1}}).never_failed == Ages::kNone);
}

TEST_CASE("platform hazard: by hand for the exponential law, sums of terms for others") {
  const Ages ages = make_ages({{0, 3}, {50, 1}, {200, 2}});
  const HazardValue value = platform_hazard(exponential_law(1000), ages, 10);
  CHECK(value.cumulative == doctest::Approx(6 * 10.0 / 1000).epsilon(1e-13));
  CHECK(value.hazard == doctest::Approx(6.0 / 1000).epsilon(1e-13));
  CHECK(value.slope == 0);

  const Law law = weibull_law_of_mean(0.5, 1000);
  const auto term = [&](double age) {
    return law.cumulative_hazard(age + 10) - law.cumulative_hazard(age);
  };
  CHECK(platform_cumulative_hazard(law, ages, 10) ==
        doctest::Approx(3 * term(0) + term(50) + 2 * term(200)).epsilon(1e-14));
  CHECK(platform_cumulative_hazard(law, ages, 0) == 0);
  const double x[] = {0, 10, 1e4};
  double out[3];
  platform_cumulative_hazards(law, ages, x, out);
  for (std::size_t i = 0; i < 3; ++i) CHECK(out[i] == platform_cumulative_hazard(law, ages, x[i]));
}

TEST_CASE("platform hazard: S of merged groups is the product of S of the groups") {
  CHECK(rc::check([](std::vector<unsigned char> ages, unsigned char at) {
    const Law law = gamma_law_of_mean(0.7, 100);
    const double x = 1 + at;
    std::vector<AgeGroup> groups{{.age = 3, .count = 1}};
    double product = std::exp(-platform_cumulative_hazard(law, make_ages(groups), x));
    for (const unsigned char age : ages) {
      groups.push_back({.age = static_cast<double>(age), .count = 1 + age % 3});
      product *= std::exp(-platform_cumulative_hazard(law, make_ages({groups.back()}), x));
    }
    const double together = std::exp(-platform_cumulative_hazard(law, make_ages(groups), x));
    RC_ASSERT(std::abs(together - product) <= 1e-11 * product);
  }));
}

TEST_CASE("ages in service: they fail at the long-run rate from now on, as renewals do") {
  for (const Law& law : {exponential_law(kTenYears), weibull_law_of_mean(0.5, kTenYears),
                         weibull_law_of_mean(1.5, kTenYears), lognormal_law(2, 0.5)}) {
    CAPTURE(law.text());
    const auto groups = ages_in_service(law, 2500);
    const Ages ages = make_ages(groups);
    CHECK(ages.processors() == 2500);
    CHECK(groups.size() == 1000);
    // In a stationary process a processor fails within x with the probability E(min(X, x)) / E(X).
    for (const double part : {0.01, 0.1, 1.0}) {
      const double x = part * law.mean();
      double failing = 0;
      for (const auto& [age, count] : groups)
        failing += static_cast<double>(count) * (1 - law.survival(age + x) / law.survival(age));
      const double shorter = law.mean() - law.survival(x) * law.mean_residual_life(x);
      CHECK(failing == doctest::Approx(2500 * shorter / law.mean()).epsilon(0.01));
    }
  }
  CHECK(ages_in_service(exponential_law(7), 1).front().age ==
        doctest::Approx(7 * std::log(2)).epsilon(1e-2));
}

TEST_CASE("compressed: few groups stay, many become few; counts and mean ages are kept") {
  const Ages small = make_ages({{1, 1}, {2, 1}}, 1);
  CHECK(compressed(small).groups == small.groups);

  std::vector<AgeGroup> groups{{.age = 1e7, .count = 50000}};
  for (int i = 0; i < 5000; ++i) groups.push_back({.age = 500.0 + 1900 * i, .count = 1 + i % 2});
  const Ages all = make_ages(groups, 0);
  const Ages few = compressed(all);
  CHECK(few.groups.size() < 230);
  CHECK(few.processors() == all.processors());
  CHECK(few.groups[few.never_failed] == AgeGroup{1e7, 50000});
  for (std::size_t i = 0; i < 10; ++i) CHECK(few.groups[i] == all.groups[i]);
  const auto total = [](const Ages& ages) {
    double sum = 0;
    for (const AgeGroup& group : ages.groups) sum += group.age * static_cast<double>(group.count);
    return sum;
  };
  CHECK(total(few) == doctest::Approx(total(all)).epsilon(1e-12));
  CHECK(std::is_sorted(few.groups.begin(), few.groups.end(),
                       [](const AgeGroup& a, const AgeGroup& b) { return a.age < b.age; }));
}

TEST_CASE("compressed: error of Lambda at p = 1e5 below 8e-5, as promised") {
  for (const Law& law : {weibull_law_of_mean(0.5, kTenYears), gamma_law_of_mean(0.5, kTenYears),
                         lognormal_law_of_ratio(kTenYears, 2.51)}) {
    CAPTURE(law.text());
    for (const double days : {1.0, 10.0, 100.0, 365.0}) {
      CAPTURE(days);
      const Ages all = aged_platform(law, days);
      const Ages few = compressed(all);
      for (double x = 60; x < 40 * kDay; x *= 3) {
        const double exact = platform_cumulative_hazard(law, all, x);
        CHECK(is_near(platform_cumulative_hazard(law, few, x), exact, 8e-5));
      }
    }
  }
}
