#include "holdfast/math/incomplete_gamma.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using namespace holdfast;

TEST_CASE("incomplete gamma: closed forms for a = 1 and a = 1/2") {
  for (const double x : {1e-12, 1e-3, 0.5, 1.0, 7.0, 40.0, 300.0}) {
    CAPTURE(x);
    CHECK(gamma_p(1, x) == doctest::Approx(-std::expm1(-x)).epsilon(1e-14));
    CHECK(gamma_q(1, x) == doctest::Approx(std::exp(-x)).epsilon(1e-13));
    CHECK(gamma_p(0.5, x) == doctest::Approx(std::erf(std::sqrt(x))).epsilon(1e-14));
    CHECK(gamma_q(0.5, x) == doctest::Approx(std::erfc(std::sqrt(x))).epsilon(1e-12));
  }
  CHECK(gamma_p(3, INFINITY) == 1);
  CHECK(gamma_q(3, INFINITY) == 0);
}

TEST_CASE("incomplete gamma: the inverses invert in both tails") {
  for (const double a : {0.05, 0.5, 0.7, 1.0, 3.0, 50.0}) {
    for (const double probability : {1e-10, 1e-3, 0.3, 0.5}) {
      CAPTURE(a);
      CAPTURE(probability);
      CHECK(gamma_p(a, gamma_p_inverse(a, probability)) ==
            doctest::Approx(probability).epsilon(1e-11));
      CHECK(gamma_q(a, gamma_q_inverse(a, probability)) ==
            doctest::Approx(probability).epsilon(1e-11));
    }
  }
}
