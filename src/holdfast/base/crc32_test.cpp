#include "holdfast/base/crc32.hpp"

#include <doctest/doctest.h>

using holdfast::crc32_of;

TEST_CASE("crc32: the check value of the polynomial") {
  CHECK(crc32_of("123456789") == 0xcbf43926);
  CHECK(crc32_of("") == 0);
  CHECK(crc32_of("123456788") != crc32_of("123456789"));
}
