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
  for (const char* text : {"2024-13-01", "2023-02-29", "2024-03-01T24:01", "2024-03-01T10:60",
                           "2024-03-01T24", "2024-03-01T10:00+15:00", "2024-03-01T10:00X",
                           "24-03-01", "1/2/2002", "", "12s", "0x10", "2024-03-01T10:00:00."}) {
    CAPTURE(text);
    CHECK_FALSE(parse_instant(text));
  }
  CHECK(parse_instant("2024-03-01T10")->seconds == 1709287200);
  CHECK(parse_instant("2024-03-01T10")->resolution == 3600);
  CHECK(parse_instant("2024-03-01T10:00:00.5-0500")->seconds == 1709287200 + 5 * 3600 + 0.5);
}

TEST_CASE("read_written_date: a date means the same in every form") {
  constexpr double kMorning = 1740823210;  // 2025-03-01T10:00:10Z
  for (const char* text : {"2025-03-01T10:00:10",
                           "2025-03-01 10:00:10Z",
                           "2025-03-01T11:00:10+01:00",
                           "2025/03/01 10:00:10",
                           "2025.3.1 10:00:10",
                           "03/01/2025 10:00:10",
                           "3/1/25 10:00:10 AM",
                           "01.03.2025 10:00:10",
                           "1.3.25 10:00:10",
                           "1 Mar 2025 10:00:10",
                           "01-Mar-2025 10:00:10",
                           "01/Mar/2025:10:00:10 +0000",
                           "Mar 1, 2025 10:00:10",
                           "March 1 2025, 10:00:10 am",
                           "Mar-01-2025 10:00:10",
                           "mar/1/25 10:00:10",
                           "1. März 2025 10:00:10",
                           "1. MÄRZ 2025, 10:00:10",
                           "01. Mrz. 2025 10:00:10",
                           "1. 3. 2025 10:00:10",
                           "Sa, 1. März 2025 10:00:10",
                           "Samstag, 01.03.2025 10:00:10 Uhr",
                           "sam. 1 mars 2025 10:00:10",
                           "1 de marzo de 2025 10:00:10",
                           "1-maart-2025 10:00:10",
                           "Sat, 01 Mar 2025 10:00:10 +0000",
                           "Sat, 1 Mar 2025 10:00:10 GMT",
                           "Sat Mar  1 10:00:10 2025",
                           "Sat Mar  1 10:00:10 CET 2025",
                           "2025-03-01 10:00:10 UTC",
                           "2025-03-01 10:00:10 - 2025-03-01 11:00:10",
                           "01.03.2025 10:00:10 \xE2\x80\x93 11:00:10",
                           "2025-03-01T10:00:10Z/2025-03-01T11:00:10Z",
                           "2025-03-01 10:00:10 - 11:00:10"}) {
    CAPTURE(text);
    const auto date = read_written_date(text);
    REQUIRE(date);
    CHECK(date->instant.seconds == kMorning);
    CHECK(date->instant.resolution == 1);
  }
  CHECK(read_written_date("3/1/2025 12:05 PM")->instant.seconds == kMorning + 2 * 3600 + 290);
  CHECK(read_written_date("3/1/2025 12:00 am")->instant.seconds == kMorning - 36010);
  for (const char* text :
       {"3/1/2025 10 AM", "01.03.2025 10.00", "1.3.25 10h00", "2025-03-01T10.00.00"}) {
    CAPTURE(text);
    REQUIRE(read_written_date(text));
    CHECK(read_written_date(text)->instant.seconds == kMorning - 10);
  }
  CHECK_FALSE(read_written_date("3/1/2025 13 AM"));
  CHECK(read_written_date("01.03.2025")->instant.resolution == 86400);
  CHECK(read_written_date("13 août 2025")->instant.seconds == parse_instant("2025-08-13")->seconds);
  CHECK(read_written_date("2 juil. 2025")->instant.seconds == parse_instant("2025-07-02")->seconds);
  CHECK_FALSE(read_written_date("2 jui 2025"));  // juin or juillet
}

TEST_CASE("read_written_date: the order of day and month is proven by a number above 12") {
  CHECK(read_written_date("20/03/2025")->proven == DayOrder::day_first);
  CHECK(read_written_date("03/20/2025")->proven == DayOrder::month_first);
  CHECK(read_written_date("03/02/2025")->proven == DayOrder::unknown);
  CHECK(read_written_date("03/02/2025", DayOrder::day_first)->instant.seconds ==
        parse_instant("2025-02-03")->seconds);
  CHECK_FALSE(read_written_date("20/03/2025", DayOrder::month_first));
  for (const char* text : {"", "12", "1.5", "12.5", "10:00", "1:02:03", "cn001", "2025", "may",
                           "Mon", "1/2", "32.01.2025", "2025-03-01x", "1-12:00:00", "cn-1-2-2025",
                           "3/1/2025 13:00 PM", "10.0.0.1", "2025-03-01 10:00 - x", "1 2 2025"}) {
    CAPTURE(text);
    CHECK_FALSE(read_written_date(text));
  }
}
