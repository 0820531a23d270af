#include "holdfast/models/failures/hazard_curve.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/models/failures/test_laws.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

using namespace holdfast;

namespace {

struct State {
  std::string name;
  Ages ages;
};

std::vector<State> states() {
  std::vector<AgeGroup> many{{.age = 8640000, .count = 95000}};
  for (int i = 1; i <= 150; ++i) many.push_back({.age = 66.0 * std::pow(1.08, i), .count = i});
  return {{"just born", same_age(100000, 0)},
          {"one day", same_age(10000, 86400)},
          {"three ages", make_ages({{66, 1}, {700, 3}, {8640000, 996}}, 2)},
          {"many ages", make_ages(many, 0)}};
}

}  // namespace

TEST_CASE("HazardCurve: against the sum over all processors") {
  HazardCurve curve;
  for (const Law& law : campaign_laws()) {
    const TabulatedLaw table{law};
    for (const State& state : states()) {
      for (const auto accuracy : {CurveAccuracy::precise, CurveAccuracy::fast}) {
        CAPTURE(law.text());
        CAPTURE(state.name);
        const bool is_precise = accuracy == CurveAccuracy::precise;
        const double span = 200000;
        curve.assign(table, state.ages, span, accuracy);
        for (double x = 1e-6; x < span; x *= 1.37) {
          const HazardValue exact = platform_hazard(law, state.ages, x);
          const HazardValue value = curve.at(x);
          if (exact.cumulative < 1e-10) continue;
          // The absolute parts are rounding in the differences H(age + x) - H(age), on both sides.
          REQUIRE(std::abs(value.cumulative - exact.cumulative) <=
                  (is_precise ? 1e-9 : 1e-6) * exact.cumulative + 1e-8);
          REQUIRE(is_near(value.hazard, exact.hazard, is_precise ? 1e-8 : 2e-6));
          REQUIRE(std::abs(value.slope - exact.slope) <=
                  (is_precise ? 1e-6 : 1e-4) * exact.hazard / x);
          REQUIRE(curve.cumulative(x) == value.cumulative);
          REQUIRE(curve.survival(x) == elementary::exp(-value.cumulative));
        }
      }
    }
  }
}

TEST_CASE("HazardCurve: zero at zero, increasing, linear beyond its span") {
  HazardCurve curve;
  const TabulatedLaw law{weibull_law_of_mean(0.7, kTenYears)};
  for (const State& state : states()) {
    CAPTURE(state.name);
    curve.assign(law, state.ages, 1e5);
    CHECK(curve.span() == 1e5);
    CHECK(curve.cumulative(0) == 0);
    double previous = 0;
    for (double x = 1e-12; x < 1e6; x *= 1.1) {
      const HazardValue value = curve.at(x);
      REQUIRE(value.cumulative >= previous);
      REQUIRE(value.hazard > 0);
      previous = value.cumulative;
    }
    const HazardValue far = curve.at(1e7);
    const HazardValue farther = curve.at(2e7);
    CHECK(farther.hazard == far.hazard);
    CHECK(farther.cumulative == doctest::Approx(far.cumulative + 1e7 * far.hazard));
  }
}

TEST_CASE("HazardCurve: a platform just born is a power of x near 0") {
  HazardCurve curve;
  const Law law = weibull_law_of_mean(0.5, kTenYears);
  const Ages ages = same_age(100000, 0);
  curve.assign(TabulatedLaw{law}, ages, 3600);
  for (const double x : {1e-30, 1e-15, 1e-9, 1e-3}) {
    CHECK(is_near(curve.cumulative(x), platform_cumulative_hazard(law, ages, x), 1e-9));
    CHECK(is_near(curve.hazard(x), platform_hazard(law, ages, x).hazard, 1e-8));
  }
  CHECK(curve.at(0).hazard == std::numeric_limits<double>::infinity());
  curve.assign(TabulatedLaw{weibull_law_of_mean(1.5, kTenYears)}, ages, 3600);
  CHECK(curve.at(0).hazard == 0);
  curve.assign(TabulatedLaw{exponential_law(kTenYears)}, ages, 3600);
  CHECK(is_near(curve.at(0).hazard, 1e5 / kTenYears, 1e-9));
  // A hazard that underflows altogether.
  curve.assign(TabulatedLaw{lognormal_law_of_mean(1e9, 0.1)}, ages, 3600);
  CHECK(curve.cumulative(1) == 0);
  CHECK(curve.at(3600).hazard == 0);
  CHECK(curve.inverse(1) == 3600);
}

TEST_CASE("HazardCurve: the inverse finds the x of a cumulative hazard") {
  HazardCurve curve;
  for (const Law& law : campaign_laws()) {
    const TabulatedLaw table{law};
    for (const State& state : states()) {
      CAPTURE(law.text());
      CAPTURE(state.name);
      curve.assign(table, state.ages, 1e6);
      CHECK(curve.inverse(0) == 0);
      for (double y = 1e-9; y < 1e3; y *= 7) {
        const double x = curve.inverse(y);
        REQUIRE(x >= 0);
        REQUIRE(x <= 1e6);
        if (x < 1e6) REQUIRE(std::abs(curve.cumulative(x) - y) <= 1e-9 * y + 1e-12);
        if (x == 1e6) REQUIRE(curve.cumulative(1e6) <= y * (1 + 1e-12));
      }
    }
  }
}

TEST_CASE("HazardCurve: scaling all times by a power of two scales the curve exactly") {
  HazardCurve small;
  HazardCurve large;
  small.assign(TabulatedLaw{weibull_law_of_mean(0.7, 1000)}, make_ages({{3, 5}, {900, 7}}), 512);
  large.assign(TabulatedLaw{weibull_law_of_mean(0.7, 2000)}, make_ages({{6, 5}, {1800, 7}}), 1024);
  for (double x = 0.25; x < 512; x *= 1.3) {
    CHECK(large.cumulative(2 * x) == small.cumulative(x));
    CHECK(large.hazard(2 * x) == small.hazard(x) / 2);
  }
}

TEST_CASE("HazardCurve: an empirical law gives a curve without dents, close to the sum") {
  const double breakpoints[] = {0, 1000, 50000, 1e6};
  const double hazards[] = {1e-5, 0, 1e-7, 2e-7};
  const Law law = empirical_law(breakpoints, hazards);
  const Ages ages = make_ages({{10, 2}, {500, 10}, {40000, 1000}});
  HazardCurve curve;
  curve.assign(TabulatedLaw{law}, ages, 1e5);
  double previous = 0;
  for (double x = 0.5; x < 1e5; x *= 1.01) {
    const HazardValue value = curve.at(x);
    REQUIRE(value.cumulative >= previous);
    REQUIRE(value.hazard >= 0);
    REQUIRE(is_near(value.cumulative, platform_cumulative_hazard(law, ages, x), 0.01));
    previous = value.cumulative;
  }
}

TEST_CASE("HazardCurve: a hazard that overflows is certain failure, not a NaN") {
  HazardCurve curve;
  const TabulatedLaw law{weibull_law_of_mean(50, 1000)};
  for (const Ages& ages : {same_age(1000, 0), make_ages({{1, 1}, {500, 1000}})}) {
    curve.assign(law, ages, 1e18);
    CHECK(curve.survival(1e18) == 0);
    CHECK(curve.survival(1e17) == 0);
    CHECK(is_near(curve.cumulative(950), platform_cumulative_hazard(law.law(), ages, 950), 1e-8));
    CHECK(curve.inverse(30) < 1100);
  }
}
