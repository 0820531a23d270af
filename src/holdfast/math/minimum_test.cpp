#include "holdfast/math/minimum.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace holdfast;

TEST_CASE("find_minimum: inside, at the ends, and where f has a kink or is not symmetric") {
  struct Row {
    double (*f)(double);
    double low, high, place;
  };
  const Row rows[] = {
      {[](double x) { return (x - 1) * (x - 1); }, -3, 7, 1},
      {[](double x) { return x; }, 2, 5, 2},
      {[](double x) { return -x; }, 2, 5, 5},
      {[](double x) { return std::abs(x - 0.3); }, 0, 1, 0.3},
      {[](double x) { return 600 / x + x / 18'000; }, 1, 1e6, std::sqrt(600 * 18'000.0)},
  };
  for (const Row& row : rows) {
    CAPTURE(row.place);
    CHECK(find_minimum(row.f, row.low, row.high, 1e-9) == doctest::Approx(row.place).epsilon(1e-7));
  }
}

TEST_CASE("find_minimum: ends even if the tolerance is below the distance of adjacent numbers") {
  CHECK(find_minimum([](double x) { return (x - 1e9) * (x - 1e9); }, 0, 3e9, 1e-300) ==
        doctest::Approx(1e9).epsilon(1e-7));
  CHECK(find_minimum([](double x) { return x; }, 4, 4, 1e-9) == 4);
}
