#include "holdfast/base/name_index.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace holdfast;

TEST_CASE("NameIndex: positions by name, and the first name that comes twice") {
  constexpr auto kNames = std::to_array<std::string_view>({"a", "b", "a", "b", "c"});
  const NameIndex all(kNames.size(), [&](std::size_t i) { return kNames[i]; });
  CHECK(all.find("a") == 0);
  CHECK(all.find("b") == 1);
  CHECK(all.find("c") == 4);
  CHECK_FALSE(all.find("d").has_value());
  CHECK(all.repeated() == 2);
  CHECK(all.at("c", "task", "/schedule").value() == 4);
  CHECK(all.at("d", "task", "/schedule").error().text() ==
        "/schedule: found 'd', which is no task");
  const NameIndex two(2, [&](std::size_t i) { return std::string(kNames[i]); });
  CHECK_FALSE(two.repeated().has_value());
  CHECK_FALSE(NameIndex(0, [](std::size_t) { return ""; }).find("").has_value());
}
