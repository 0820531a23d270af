#include "holdfast/base/text.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string_view>
#include <vector>

using namespace holdfast;

TEST_CASE("the nearest name is offered, a far one is not") {
  constexpr auto kNames = std::to_array<std::string_view>({"next-step", "young-daly", "none"});
  CHECK(closest("next-stp", kNames) == "next-step");
  CHECK(closest("yuong-daly", kNames) == "young-daly");
  CHECK(closest("quux", kNames).empty());
  CHECK(suggestion("quux", kNames) == "known: next-step, young-daly, none");
  const std::vector<std::string_view> many(100'000, "fixed:1h");
  CHECK(suggestion("quux", many).ends_with("fixed:1h, fixed:1h and 99940 others"));
  CHECK(suggestion("quux", many).size() < 1000);
}

TEST_CASE("splitting keeps empty parts, trimming takes blanks at both ends") {
  CHECK(split("a,,b", ',').size() == 3);
  CHECK(split("", ',').size() == 1);
  CHECK(trim(" \t x y\r\n") == "x y");
  CHECK(trim("  ").empty());
}

TEST_CASE("things are counted with their plural, long numbers in groups of three digits") {
  CHECK(counted(1, "job") == "1 job");
  CHECK(counted(0, "job") == "0 jobs");
  CHECK(counted(7500, "processor") == "7500 processors");
  CHECK(counted(10000, "processor") == "10 000 processors");
  CHECK(counted(1234567, "class", "classes") == "1 234 567 classes");
  CHECK(counted(-123456, "second") == "-123 456 seconds");
  CHECK(counted(0U, "job") == "0 jobs");
}

TEST_CASE("control characters are shown, not sent, and a long token is cut") {
  CHECK(printable("a\x1b[31mb\r\n\x7f") == "a\\x1b[31mb\\x0d\n\\x7f");
  CHECK(printable("caf\xc3\xa9 \xe9 \xc2\x9b") == "caf\xc3\xa9 \\xe9 \\xc2\\x9b");
  CHECK(in_quotes("two\nlines") == "'two\\x0alines'");
  CHECK(in_quotes("x", '"') == "\"x\"");
  CHECK(in_quotes(std::string(60, 'a')) == "'" + std::string(60, 'a') + "'");
  CHECK(in_quotes(std::string(61, 'a')) == "'" + std::string(60, 'a') + "...'");
  std::string accents;
  for (int i = 0; i < 60; ++i) accents += "\xc3\xa9";
  CHECK(in_quotes(accents) == "'" + accents + "'");
}

TEST_CASE("UTF-8: overlong forms, surrogates and cut characters are not part of it") {
  for (const std::string_view good :
       {"", "plain text of more than eight", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
        "\xed\x9f\xbf", "\xee\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    CAPTURE(good);
    CHECK(find_not_utf8(good) == std::string_view::npos);
    CHECK(as_utf8(good) == good);
  }
  for (const std::string_view bad :
       {"\x80", "\xff", "\xc3", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf", "\xe2\x82", "\xed\xa0\x80",
        "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"}) {
    CAPTURE(bad);
    CHECK(find_not_utf8("twelve bytes" + std::string(bad) + "x") == 12);
  }
  CHECK(as_utf8("a\xff"
                "b\xe9") ==
        "a\xef\xbf\xbd"
        "b\xef\xbf\xbd");
  const auto status = check_utf8("one\ntw\xff");
  REQUIRE_FALSE(status);
  CHECK(status.error().text() == "2, column 3: found the byte \\xff, expected text in UTF-8");
}

TEST_CASE("names of programs as people read them") {
  CHECK(in_words("minimum_yield") == "minimum yield");
  CHECK(in_words("makespan") == "makespan");
}

TEST_CASE("numbers are written as the shortest text that reads back the same") {
  CHECK(to_text(0.1) == "0.1");
  CHECK(to_text(1e22) == "1e+22");
  CHECK(to_text(2.0 / 3, 3) == "0.667");
}
