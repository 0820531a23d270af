#include "holdfast/models/failures/fit_trend.hpp"

#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace holdfast;

TEST_CASE("recurrence_tests: one unit, against the formulae") {
  // Failures at 10, 20, 40 and 90 of 100 h: U = (40 - 50) sqrt(12 4) / 100; 2 sum ln(T / t) = 2 ln(1e8 / 720000).
  const std::vector<WatchedUnit> units = {{0, 100, {10, 20, 40, 90}}};
  const RecurrenceTests tests = recurrence_tests(units);
  REQUIRE(tests.laplace);
  CHECK(tests.laplace->statistic == doctest::Approx(-0.1 * std::sqrt(48.0)));
  CHECK(tests.laplace->p_value == doctest::Approx(0.4884).epsilon(1e-3));
  REQUIRE(tests.power);
  CHECK(tests.power->statistic == doctest::Approx(2 * std::log(1e8 / 720000)));
  CHECK(tests.power_shape == doctest::Approx(4 / std::log(1e8 / 720000)));
  CHECK(!tests.dispersion);
}

TEST_CASE("recurrence_tests: units of one rate pass, units of two rates or a trend do not") {
  Stream stream{{.seed = 3, .purpose = Purpose::tool}};
  const auto made = [&](auto rate, double power) {
    std::vector<WatchedUnit> units;
    for (int i = 0; i < 200; ++i) {
      WatchedUnit unit{100.0 * (i % 3), 100.0 * (i % 3) + 1000, {}};
      for (double t = 0;;) {
        t -= std::log(stream.uniform()) / rate(i);
        if (t >= 1000) break;
        unit.failures.push_back(unit.from + 1000 * std::pow(t / 1000, power));
      }
      units.push_back(unit);
    }
    return recurrence_tests(units);
  };
  const auto same = made([](int) { return 0.005; }, 1);
  CHECK(same.dispersion->p_value > 0.01);
  CHECK(same.laplace->p_value > 0.01);
  CHECK(same.power->p_value > 0.01);
  CHECK(std::abs(same.power_shape - 1) < 0.1);
  CHECK(made([](int i) { return i % 2 == 0 ? 0.002 : 0.008; }, 1).dispersion->p_value < 1e-6);
  const auto later = made([](int) { return 0.005; }, 0.5);  // intensity grows with t
  CHECK(later.laplace->statistic > 5);
  CHECK(later.power_shape == doctest::Approx(2).epsilon(0.1));
  CHECK(later.power->p_value < 1e-6);
}

TEST_CASE("recurrence_tests: without failures there is nothing to test") {
  const std::vector<WatchedUnit> units = {{0, 100, {}}, {0, 50, {}}};
  const RecurrenceTests tests = recurrence_tests(units);
  CHECK(tests.units_by_count.at(0) == 2);
  CHECK(!tests.dispersion);
  CHECK(!tests.laplace);
}
