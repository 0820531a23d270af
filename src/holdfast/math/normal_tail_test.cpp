#include "holdfast/math/normal_tail.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace holdfast;

TEST_CASE("normal tail: references of 60 digits, to 1000 standard deviations") {
  struct Row {
    double z;
    double minus_log_survival;
    double hazard;
  };
  // mpmath, 60 digits
  const Row rows[] = {
      {-10.0, 7.61985302416052607e-24, 7.69459862670641935e-23},
      {-3.0, 0.0013508099647481938, 0.00443783904212566379},
      {-0.5, 0.368946415288656393, 0.509160433837033486},
      {0.0, 0.693147180559945309, 0.797884560802865356},
      {0.5, 1.17591176159361861, 1.14107777036806448},
      {1.0, 1.84102164500926351, 1.52513527616098121},
      {5.0, 15.0649983939887257, 5.18650396712584212},
      {20.0, 203.917155371097264, 20.0497530685278505},
      {35.0, 616.975101261922513, 35.0285249705966879},
      {35.5, 634.614263155088385, 35.5281244865609679},
      {40.0, 804.608442013753788, 40.0249688472072637},
      {1000.0, 500007.826694812184, 1000.00099999800001},
  };
  for (const Row& row : rows) {
    CAPTURE(row.z);
    CHECK(std::abs(minus_log_normal_survival(row.z) / row.minus_log_survival - 1) < 2e-14);
    CHECK(std::abs(normal_hazard(row.z) / row.hazard - 1) < 1e-13);
    CHECK(std::abs(inverse_minus_log_normal_survival(row.minus_log_survival) - row.z) <
          1e-13 * std::fmax(1, std::abs(row.z)));
  }
}

TEST_CASE("normal tail: increasing across the changes of method") {
  double previous = 0;
  for (double z = -37; z < 60; z += 0.01) {
    const double value = minus_log_normal_survival(z);
    REQUIRE(value > previous);
    previous = value;
  }
}
