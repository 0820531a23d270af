#include "holdfast/math/chi_square.hpp"

#include <doctest/doctest.h>

using namespace holdfast;

TEST_CASE("chi-square: the values of printed tables") {
  CHECK(chi_square_quantile(1, 0.95) == doctest::Approx(3.841458821).epsilon(1e-9));
  CHECK(chi_square_quantile(2, 0.95) == doctest::Approx(5.991464547).epsilon(1e-9));
  CHECK(chi_square_quantile(10, 0.99) == doctest::Approx(23.20925116).epsilon(1e-9));
  CHECK(chi_square_survival(1, 3.841458820694124) == doctest::Approx(0.05).epsilon(1e-12));
  CHECK(chi_square_survival(3, 0) == 1);
}
