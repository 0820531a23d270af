#include "holdfast/models/failures/tabulated_law.hpp"

#include "holdfast/models/failures/test_laws.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace holdfast;

TEST_CASE("TabulatedLaw: as close to the law as it says") {
  std::vector<Law> laws = campaign_laws();
  laws.push_back(weibull_law_of_mean(0.1, 1000));
  laws.push_back(weibull_law_of_mean(5, 1000));
  laws.push_back(lognormal_law_of_mean(1, 0.5));
  for (const Law& law : laws) {
    CAPTURE(law.text());
    const TabulatedLaw table{law};
    CHECK(table.is_tabulated());
    CHECK(table.is_inverse_tabulated());
    CHECK(table.mean() == law.mean());
    const double mean = law.mean();
    for (double x = 1e-15 * mean; x < 1e4 * mean; x *= 1.0071) {
      const HazardValue exact = law.at(x);
      const HazardValue value = table.at(x);
      REQUIRE(std::abs(value.cumulative - exact.cumulative) <= 1e-10 * exact.cumulative + 1e-17);
      if (exact.cumulative < 1e-7) continue;
      REQUIRE(is_near(value.hazard, exact.hazard, 1e-8));
      REQUIRE(std::abs(value.slope - exact.slope) <= 1e-6 * exact.hazard / x);
      REQUIRE(table.cumulative_hazard(x) == value.cumulative);
    }
    for (double y = 1e-16; y < 600; y *= 1.017) {
      REQUIRE(is_near(table.inverse_cumulative_hazard(y), law.inverse_cumulative_hazard(y), 1e-8));
    }
    CHECK(table.cumulative_hazard(0) == 0);
    CHECK(table.inverse_cumulative_hazard(0) == 0);
  }
}

TEST_CASE("TabulatedLaw: a law that no table can approximate is evaluated directly") {
  const double breakpoints[] = {0, 100};
  const double hazards[] = {1, 2};
  for (const Law& law : {empirical_law(breakpoints, hazards), lognormal_law_of_mean(1000, 0.01)}) {
    CAPTURE(law.text());
    const TabulatedLaw table{law};
    CHECK_FALSE(table.is_tabulated());
    for (double x = 1; x < 1e5; x *= 3) {
      CHECK(table.cumulative_hazard(x) == law.cumulative_hazard(x));
      CHECK(table.at(x).hazard == law.hazard(x));
    }
  }
}
