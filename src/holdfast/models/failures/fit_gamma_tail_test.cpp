#include "holdfast/models/failures/fit_gamma_tail.hpp"

#include "holdfast/models/failures/law.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using namespace holdfast;

TEST_CASE("GammaTailByShape: the hazard is -ln Q, on both sides of the change of method") {
  for (const double shape : {0.01, 0.3, 0.7, 1.0, 2.5, 10.0, 300.0}) {
    for (const double factor : {1e-8, 1e-3, 0.3, 0.9, 1.0, 1.1, 2.0, 5.0, 40.0}) {
      const double u = factor * (shape + 2);
      CAPTURE(shape);
      CAPTURE(u);
      const GammaTailValue tail = GammaTailByShape{shape}(std::log(u));
      CHECK(tail.hazard ==
            doctest::Approx(gamma_law(shape, 1).cumulative_hazard(u)).epsilon(1e-10));
      CHECK(tail.by_log_age == doctest::Approx(u * gamma_law(shape, 1).hazard(u)).epsilon(1e-10));
    }
  }
}

TEST_CASE("GammaTailByShape: derivatives in the shape are those of the values") {
  for (const double shape : {0.2, 0.7, 1.0, 3.0, 50.0}) {
    for (const double factor : {1e-3, 0.3, 0.99, 1.01, 2.0, 10.0}) {
      const double y = std::log(factor * (shape + 2));
      CAPTURE(shape);
      CAPTURE(factor);
      const double h = 1e-5 * shape;
      const GammaTailValue low = GammaTailByShape{shape - h}(y);
      const GammaTailValue here = GammaTailByShape{shape}(y);
      const GammaTailValue high = GammaTailByShape{shape + h}(y);
      CHECK(here.by_shape == doctest::Approx((high.hazard - low.hazard) / (2 * h)).epsilon(1e-6));
      CHECK(here.by_shape_twice ==
            doctest::Approx((high.by_shape - low.by_shape) / (2 * h)).epsilon(1e-6));
    }
  }
}

TEST_CASE(
    "GammaTailByShape: shape 1 is the exponential law, and sums of shapes 1 + 1 have a closed "
    "form") {
  for (const double u : {1e-6, 0.5, 2.9, 3.1, 50.0, 700.0}) {
    CAPTURE(u);
    CHECK(GammaTailByShape{1}(std::log(u)).hazard == doctest::Approx(u).epsilon(1e-11));
    CHECK(GammaTailByShape{2}(std::log(u)).hazard ==
          doctest::Approx(u - std::log1p(u)).epsilon(1e-9));
  }
}
