#include "holdfast/math/lambert.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using holdfast::lambert_w0_plus_one;

TEST_CASE("lambert_w0_plus_one: 60-digit references, on both sides of the change of method") {
  struct Row {
    double x;
    double value;
  };
  // mpmath, 60 digits: 1 + lambertw(-exp(-1 - x))
  const Row rows[] = {
      {1.0000000000000001e-18, 1.4142135617064284e-9},
      {9.9999999999999998e-13, 1.4142128957065069e-6},
      {9.9999999999999995e-7, 0.0014135469742886646},
      {0.001, 0.044057192259048082},
      {0.10000000000000001, 0.38318316820829484},
      {0.90000000000000002, 0.82113740747987678},
      {1.0, 0.84140566043696064},
      {1.1000000000000001, 0.85900075693225691},
      {5.0, 0.99751508066485055},
      {30.0, 0.99999999999996558},
  };
  for (const Row& row : rows) {
    CAPTURE(row.x);
    CHECK(lambert_w0_plus_one(row.x) == doctest::Approx(row.value).epsilon(4e-16));
  }
}

TEST_CASE("lambert_w0_plus_one: the ends of its range") {
  CHECK(lambert_w0_plus_one(0) == 0);
  CHECK(lambert_w0_plus_one(1e-300) == doctest::Approx(std::sqrt(2e-300)));
  CHECK(lambert_w0_plus_one(1e6) == 1);
  CHECK(lambert_w0_plus_one(std::numeric_limits<double>::infinity()) == 1);
}
