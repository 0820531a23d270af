#include "holdfast/math/roots.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace holdfast;

TEST_CASE("find_root: to the last bit, in few evaluations") {
  const Root root = find_root([](double x) { return x * x - 2; }, 0, 2);
  CHECK(root.found);
  CHECK(root.x == doctest::Approx(std::sqrt(2.0)).epsilon(1e-15));
  CHECK(root.evaluations < 14);
}

TEST_CASE("find_root: flat, steep and one-sided functions") {
  struct Row {
    double (*f)(double);
    double low, high, root;
  };
  const Row rows[] = {
      {[](double x) { return x * x * x; }, -1, 1.5, 0},
      {[](double x) { return std::exp(x) - 1e5; }, 0, 1000, std::log(1e5)},
      {[](double x) { return std::sqrt(x) - 1e-3; }, 0, 1e6, 1e-6},
      {[](double x) { return 1e-3 - std::sqrt(x); }, 0, 1e6, 1e-6},
      {[](double x) { return x < 0.3 ? -1.0 : 1.0; }, 0, 1, 0.3},
  };
  for (const Row& row : rows) {
    CAPTURE(row.root);
    const Root root = find_root(row.f, row.low, row.high, 1e-14, 1e-30);
    CHECK(root.found);
    CHECK(root.evaluations < 160);
    CHECK(std::abs(root.x - row.root) <= 1e-13 * std::abs(row.root) + 1e-30);
  }
}

TEST_CASE("find_root: a root at an end; no change of sign") {
  CHECK(find_root([](double x) { return x; }, 0, 1).x == 0);
  CHECK(find_root([](double x) { return x - 1; }, 0, 1).x == 1);
  CHECK_FALSE(find_root([](double x) { return x + 1; }, 0, 1).found);
  CHECK_FALSE(find_root([](double x) { return x - NAN; }, 0, 1).found);
}
