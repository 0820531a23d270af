#include "holdfast/math/sum.hpp"

#include "holdfast/math/quadrature.hpp"

#include <doctest/doctest.h>

using namespace holdfast;

TEST_CASE("CompensatedSum: keeps what plain addition loses") {
  CompensatedSum large;
  for (const double term : {1.0, 1e100, 1.0, -1e100}) large += term;
  CHECK(large.value() == 2);
  CompensatedSum sum;
  for (int i = 0; i < 1000000; ++i) sum += 0.1;
  CHECK(sum.value() == 100000);
}

TEST_CASE("Gauss-Legendre: n points are exact to degree 2n - 1") {
  double power = 1;
  for (int degree = 0; degree < 16; ++degree) {
    CAPTURE(degree);
    const auto f = [degree](double x) {
      double value = 1;
      for (int i = 0; i < degree; ++i) value *= x;
      return value;
    };
    power *= 2;
    const double exact = power / (degree + 1);  // on [0, 2]
    CHECK(kGaussLegendre8.integrate(0, 2, f) == doctest::Approx(exact).epsilon(1e-14));
  }
}
