#include "holdfast/base/units.hpp"

#include <doctest/doctest.h>

#include <limits>

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
      {"20m", Unit::seconds, 1200},
      {"20mins", Unit::seconds, 1200},
      {"20 minutes", Unit::seconds, 1200},
      {"5days", Unit::seconds, 432000},
      {"5 d", Unit::seconds, 432000},
      {"2hours", Unit::seconds, 7200},
      {"2 weeks", Unit::seconds, 1209600},
      {"1h30min", Unit::seconds, 5400},
      {"2 d 3 h", Unit::seconds, 183600},
      {"1-12:00:00", Unit::seconds, 129600},
      {"1-6:00", Unit::seconds, 108000},
      {"12:30:00", Unit::seconds, 45000},
      {"100:00:01", Unit::seconds, 360001},
      {"10gb", Unit::bytes, 1e10},
      {"10 GIB", Unit::bytes, 10737418240},
      {"3 bytes", Unit::bytes, 3},
      {"2.5 GBps", Unit::bytes_per_second, 2.5e9},
      {"2/hour", Unit::per_second, 2 / 3600.0},
      {"1TB@10GB/s", Unit::seconds, 100},
      {"1.5 GiB @ 512 MiB/s", Unit::seconds, 3},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto value = parse_quantity(row.text, row.unit);
    REQUIRE(value);
    CHECK(*value == doctest::Approx(row.value).epsilon(1e-15));
  }
}

TEST_CASE("what is not a quantity of that unit is refused") {
  struct Row {
    std::string_view text;
    Unit unit;
  };
  const Row rows[] = {{"", Unit::seconds},
                      {"h", Unit::seconds},
                      {"5 parsecs", Unit::seconds},
                      {"nan", Unit::seconds},
                      {"inf", Unit::seconds},
                      {"1e400", Unit::seconds},
                      {"1e308y", Unit::seconds},
                      {"10GB", Unit::seconds},
                      {"10s", Unit::none},
                      {"1/0", Unit::none},
                      {"1/2/3", Unit::none},
                      {"0x10", Unit::none},
                      {"10M", Unit::bytes},
                      {"5GB", Unit::bytes_per_second},
                      {"30:00", Unit::seconds},
                      {"1-12", Unit::seconds},
                      {"1:60:00", Unit::seconds},
                      {"1-24:00:00", Unit::seconds},
                      {"1:2:3", Unit::seconds},
                      {"3 months", Unit::seconds},
                      {"8H", Unit::seconds},
                      {"30min1h", Unit::seconds},
                      {"1h 30", Unit::seconds},
                      {"1h-30min", Unit::seconds},
                      {"1h1h", Unit::seconds},
                      {"1h30min ", Unit::none},
                      {"10Gb", Unit::bytes},
                      {"1-12:00:00 h", Unit::seconds},
                      {"99999999999:00:00", Unit::seconds},
                      {"1TB@", Unit::seconds},
                      {"1TB@10GB", Unit::seconds},
                      {"@10GB/s", Unit::seconds},
                      {"1h@10GB/s", Unit::seconds},
                      {"1TB@0GB/s", Unit::seconds},
                      {"1TB@10GB/s", Unit::bytes}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK_FALSE(parse_quantity(row.text, row.unit));
  }
}

TEST_CASE("what could be meant in two ways is refused with both") {
  struct Row {
    std::string_view text;
    Unit unit;
    std::string_view advice;
  };
  const Row rows[] = {
      {"30:00", Unit::seconds, "; is it 30h00min or 30min00s?"},
      {"10G", Unit::bytes, "; is it 10GB (powers of 1000) or 10GiB (powers of 1024)?"},
      {"1.5K/s", Unit::bytes_per_second,
       "; is it 1.5kB/s (powers of 1000) or 1.5KiB/s (powers of 1024)?"},
      {"10Gb", Unit::bytes, "; bits are not read"},
      {"3 months", Unit::seconds, "; months are not of one length"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto value = parse_quantity(row.text, row.unit);
    REQUIRE_FALSE(value);
    CHECK(value.error().message.ends_with(row.advice));
  }
}

TEST_CASE("an exact text reads back as the same number") {
  CHECK(exact_text(3600, Unit::seconds) == "1h");
  CHECK(exact_text(5400, Unit::seconds) == "90min");
  CHECK(exact_text(2 * kYear, Unit::seconds) == "2y");
  for (const double value : {0.25, 1.0, 90.5, 7560.0, 86400.0, 1e9 / 3}) {
    CHECK(parse_quantity(exact_text(value, Unit::seconds), Unit::seconds) == value);
  }
  CHECK(exact_text(0x1p28, Unit::bytes) == "256MiB");
  CHECK(exact_text(1e12, Unit::bytes) == "1TB");
  CHECK(exact_text(2.5e9, Unit::bytes_per_second) == "2500MB/s");
  CHECK(exact_text(100, Unit::bytes) == "100");
  for (const double value : {1.0, 1023.0, 1024.0, 1e9 + 1, 1e15, 0x1p50, 0.5}) {
    for (const Unit unit : {Unit::bytes, Unit::bytes_per_second, Unit::none}) {
      CHECK(parse_quantity(exact_text(value, unit), unit) == value);
    }
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
                      {86400 * 400.0, "1 y 35 d"},
                      {3.6e9 * kYear, "3600000000 y"},
                      {1e308, "3.171e+300 y"},
                      {1.7976931348623157e308, "5.7e+300 y"}};
  for (const Row& row : rows) {
    CAPTURE(row.seconds);
    CHECK(format_duration(row.seconds) == row.text);
  }
  CHECK(format_quantity(1.5 * 1073741824, Unit::bytes) == "1.5 GiB");
  CHECK(format_quantity(200e9, Unit::bytes_per_second) == "200 GB/s");
}

TEST_CASE("a value beyond the range of numbers is written as larger, an undefined one as a dash") {
  constexpr double kOver = std::numeric_limits<double>::infinity();
  constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
  CHECK(format_duration(kOver) == "over 1e308 s");
  CHECK(format_duration(-kOver) == "below -1e308 s");
  CHECK(format_duration(kUndefined) == "-");
  CHECK(format_quantity(kOver, Unit::bytes) == "over 1e308 B");
  CHECK(format_quantity(kOver, Unit::none) == "over 1e308");
  CHECK(format_quantity(kUndefined, Unit::bytes_per_second) == "-");
}

TEST_CASE("whole numbers: an exact power of ten is whole, a fraction is not") {
  CHECK(*parse_integer("1e6") == 1000000);
  CHECK(*parse_integer("9223372036854775807") == 9223372036854775807);
  CHECK_FALSE(parse_integer("9223372036854775808000"));
  CHECK_FALSE(parse_integer("2.5"));
  CHECK_FALSE(parse_integer("12x"));
}
