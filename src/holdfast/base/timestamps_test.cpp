#include "holdfast/base/timestamps.hpp"

#include <doctest/doctest.h>

using namespace holdfast;

TEST_CASE("parse_mangled_month: a month and a year, in whichever order a spreadsheet left them") {
  CHECK(parse_mangled_month("5-Apr").value() == 1112313600);  // 2005-04-01
  CHECK(parse_mangled_month("05-Apr").value() == 1112313600);
  CHECK(parse_mangled_month("Nov-96").value() == 846806400);  // 1996-11-01
  CHECK(parse_mangled_month("Dec-99").value() == 944006400);  // 1999-12-01
  for (const char* text : {"before tracking", "current", "", "-", "Apr-", "13-13", "5-April",
                           "Apr-123", "5-Apr-2005"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_mangled_month(text));
  }
}

TEST_CASE("format_date: what parse_instant reads back") {
  for (const double seconds :
       {0.0, 1112313600.0, 1126273620.0, -3600.0, 1126273621.0, 4102444799.0}) {
    CAPTURE(seconds);
    CHECK(parse_instant(format_date(seconds))->seconds == seconds);
  }
  CHECK(format_date(1126273620) == "2005-09-09T13:47");
  CHECK(format_date(1126273620.25) == "2005-09-09T13:47:00.25");
  CHECK(format_date(1126273620.9999999) == "2005-09-09T13:47:01");  // to the microsecond
  CHECK(parse_instant(format_date(1117937707.697467))->seconds == 1117937707.697467);
}

TEST_CASE("parse_instant: dates that are none are refused") {
  for (const char* text : {"2024-13-01", "2023-02-29", "2024-03-01T24:00", "2024-03-01T10:60",
                           "2024-03-01T10", "2024-03-01T10:00+15:00", "2024-03-01T10:00X",
                           "24-03-01", "1/2/2002", "", "12s", "0x10", "2024-03-01T10:00:00."}) {
    CAPTURE(text);
    CHECK_FALSE(parse_instant(text));
  }
  CHECK(parse_instant("2024-03-01T10:00:00.5-0500")->seconds == 1709287200 + 5 * 3600 + 0.5);
}
