#include "holdfast/base/sort_numbers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace holdfast;

TEST_CASE("numbers are sorted, few and many, with signs, equal ones and infinities") {
  std::mt19937_64 draw(7);
  for (const std::size_t count : {0U, 1U, 1000U, 40'000U, 200'000U}) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < count; ++i) {
      const auto exponent = static_cast<int>(draw() % 200) - 100;
      const double size = std::ldexp(static_cast<double>(draw() % 1000), exponent);
      numbers.push_back(draw() % 2 == 0 ? size : -size);
    }
    if (count > 2) {
      numbers[0] = std::numeric_limits<double>::infinity();
      numbers[1] = -numbers[0];
      numbers[2] = std::numeric_limits<double>::denorm_min();
    }
    std::vector<double> expected = numbers;
    std::ranges::sort(expected);
    sort_numbers(numbers);
    CHECK(numbers == expected);
    std::vector<double> equal(count, 3.5);  // in every digit all have the same
    sort_numbers(equal);
    CHECK(equal == std::vector<double>(count, 3.5));
  }
}
