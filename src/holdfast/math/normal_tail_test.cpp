#include "holdfast/math/normal_tail.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace holdfast;

TEST_CASE("normal tail: references of 60 digits, to 1000 standard deviations") {
  struct Row {
    double z;
    double minus_log_survival;
    double hazard;
    double log_erfc;
  };
  // mpmath, 60 digits
  const Row rows[] = {
      {-10.0, 7.61985302416052607e-24, 7.69459862670641935e-23, 0.693147180559945309},
      {-3.0, 0.0013508099647481938, 0.00443783904212566379, 0.69313613525044681},
      {-0.5, 0.368946415288656393, 0.509160433837033486, 0.41903914777555958},
      {0.0, 0.693147180559945309, 0.797884560802865356, 0.0},
      {0.5, 1.17591176159361861, 1.14107777036806448, -0.735011129837084403},
      {1.0, 1.84102164500926351, 1.52513527616098121, -1.84960550993324825},
      {5.0, 15.0649983939887257, 5.18650396712584212, -27.2008895455374344},
      {20.0, 203.917155371097264, 20.0497530685278505, -403.569343334104235},
      {35.0, 616.975101261922513, 35.0285249705966879, -1229.1281207520225},
      {35.5, 634.614263155088385, 35.5281244865609679, -1264.39229399333155},
      {40.0, 804.608442013753788, 40.0249688472072637, -1604.26155665327356},
      {1000.0, 500007.826694812184, 1000.00099999800001, -1000007.48012072191},
  };
  for (const Row& row : rows) {
    CAPTURE(row.z);
    CHECK(std::abs(minus_log_normal_survival(row.z) / row.minus_log_survival - 1) < 2e-14);
    CHECK(std::abs(normal_hazard(row.z) / row.hazard - 1) < 1e-13);
    CHECK(std::abs(log_erfc(row.z) - row.log_erfc) <= 4e-15 * std::abs(row.log_erfc));
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
