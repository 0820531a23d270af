#include "holdfast/base/units.hpp"

#include <doctest/doctest.h>

using namespace holdfast;

TEST_CASE("quantities are read in the units people write") {
  struct Row {
    std::string_view text;
    Unit unit;
    double value;
  };
  const Row rows[] = {
      {"600s", Unit::seconds, 600},
      {"10min", Unit::seconds, 600},
      {"48h", Unit::seconds, 172800},
      {"100d", Unit::seconds, 8640000},
      {"10y", Unit::seconds, 315360000},
      {"1.5 h", Unit::seconds, 5400},
      {" 2 ", Unit::seconds, 2},
      {"1e3", Unit::seconds, 1000},
      {"250ms", Unit::seconds, 0.25},
      {"1GiB", Unit::bytes, 1073741824},
      {"1GB", Unit::bytes, 1e9},
      {"2.5GB/s", Unit::bytes_per_second, 2.5e9},
      {"1/5", Unit::none, 0.2},
      {"301/500", Unit::none, 0.602},
      {"0.5/h", Unit::per_second, 0.5 / 3600},
      {"-3", Unit::none, -3},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto value = parse_quantity(row.text, row.unit);
    REQUIRE(value);
    CHECK(*value == doctest::Approx(row.value).epsilon(1e-15));
  }
}

TEST_CASE("what is no quantity of that unit is refused") {
  struct Row {
    std::string_view text;
    Unit unit;
  };
  const Row rows[] = {
      {"", Unit::seconds},       {"h", Unit::seconds},           {"5 parsecs", Unit::seconds},
      {"nan", Unit::seconds},    {"inf", Unit::seconds},         {"1e400", Unit::seconds},
      {"1e308y", Unit::seconds}, {"10GB", Unit::seconds},        {"10s", Unit::none},
      {"1/0", Unit::none},       {"1/2/3", Unit::none},          {"0x10", Unit::none},
      {"10M", Unit::bytes},      {"5GB", Unit::bytes_per_second}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK_FALSE(parse_quantity(row.text, row.unit));
  }
}

TEST_CASE("durations for people never show 60 s or 24 h beside the next unit") {
  struct Row {
    double seconds;
    std::string_view text;
  };
  const Row rows[] = {{0, "0 s"},
                      {1e-7, "100 ns"},
                      {0.0123, "12.3 ms"},
                      {12.34, "12.3 s"},
                      {90, "1 min 30 s"},
                      {59.99, "1 min"},
                      {3599.9, "1 h"},
                      {172800, "2 d"},
                      {183600, "2 d 3 h"},
                      {kYear, "1 y"},
                      {3600 * 23.9999, "1 d"},
                      {-90, "-1 min 30 s"},
                      {86400 * 400.0, "1 y 35 d"}};
  for (const Row& row : rows) {
    CAPTURE(row.seconds);
    CHECK(format_duration(row.seconds) == row.text);
  }
  CHECK(format_quantity(1.5 * 1073741824, Unit::bytes) == "1.5 GiB");
}

TEST_CASE("whole numbers: an exact power of ten is whole, a fraction is not") {
  CHECK(*parse_integer("1e6") == 1000000);
  CHECK(*parse_integer("9223372036854775807") == 9223372036854775807);
  CHECK_FALSE(parse_integer("9223372036854775808000"));
  CHECK_FALSE(parse_integer("2.5"));
  CHECK_FALSE(parse_integer("12x"));
}
