#include "holdfast/report/svg_text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace holdfast;

TEST_CASE("wrap_text: lines of the width at most, and all words in their order") {
  const std::vector<std::string> lines = wrap_text("thick: the law called best", 100, 12);
  CHECK(lines == std::vector<std::string>{"thick: the", "law called", "best"});
  for (const std::string& line : lines) CHECK(text_width(line, 12) <= 100);
  CHECK(wrap_text("", 100, 12).empty());
  CHECK(wrap_text("a-very-long-file-name.csv x", 20, 12) ==
        std::vector<std::string>{"a-very-long-file-name.csv", "x"});
}

TEST_CASE("shorten: both ends of a name are kept, and no letter is cut in two") {
  CHECK(shorten("node-17", 100, 10) == "node-17");
  // 62 pixels are ten letters of 6.2.
  CHECK(shorten("application-0017", 62, 10) == "appli\u20260017");
  CHECK(text_width(shorten("application-0017", 62, 10), 10) <= 62);
  CHECK(shorten("\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc", 31, 10) ==
        "\u00e4\u00f6\u2026\u00f6\u00fc");
}

TEST_CASE("LegendRows: an entry that does not fit begins a row") {
  LegendRows rows(10, 150, 10);
  CHECK(rows.height() == 0);
  // 22 pixels and 31 for five letters; 15 to the next one.
  CHECK(rows.next("alpha").x == 10);
  CHECK(rows.next("gamma").x == 78);
  const LegendRows::Place third = rows.next("delta");
  CHECK(third.x == 10);
  CHECK(third.y == LegendRows::kRowHeight);
  CHECK(rows.height() == 2 * LegendRows::kRowHeight);
}

TEST_CASE("TitleLines: no title takes no line") {
  CHECK(TitleLines({.title = "", .note = ""}, 100).svg(8).empty());
  const TitleLines both({.title = "a < b", .note = "note"}, 100);
  CHECK(both.svg(8).find("a &lt; b") < both.svg(8).find("note"));
  CHECK(both.height() > TitleLines({.title = "a", .note = ""}, 100).height());
}
