#include "holdfast/math/student.hpp"

#include <doctest/doctest.h>

using namespace holdfast;

TEST_CASE("student: the values of printed tables") {
  CHECK(student_quantile(0.975, 1) == doctest::Approx(12.7062047).epsilon(1e-8));
  CHECK(student_quantile(0.975, 4) == doctest::Approx(2.77644511).epsilon(1e-8));
  CHECK(student_quantile(0.975, 49) == doctest::Approx(2.00957524).epsilon(1e-8));
  CHECK(student_quantile(0.975, 1e9) == doctest::Approx(1.95996398).epsilon(1e-8));
}
