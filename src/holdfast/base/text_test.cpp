#include "holdfast/base/text.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace holdfast;

TEST_CASE("the nearest name is offered, a far one is not") {
  constexpr auto kNames = std::to_array<std::string_view>({"next-step", "young-daly", "none"});
  CHECK(closest("next-stp", kNames) == "next-step");
  CHECK(closest("yuong-daly", kNames) == "young-daly");
  CHECK(closest("quux", kNames).empty());
  CHECK(suggestion("quux", kNames) == "known: next-step, young-daly, none");
}

TEST_CASE("splitting keeps empty parts, trimming takes blanks at both ends") {
  CHECK(split("a,,b", ',').size() == 3);
  CHECK(split("", ',').size() == 1);
  CHECK(trim(" \t x y\r\n") == "x y");
  CHECK(trim("  ").empty());
}

TEST_CASE("numbers are written as the shortest text that reads back the same") {
  CHECK(to_text(0.1) == "0.1");
  CHECK(to_text(1e22) == "1e+22");
  CHECK(to_text(2.0 / 3, 3) == "0.667");
}
