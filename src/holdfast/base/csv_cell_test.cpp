#include "holdfast/base/csv_cell.hpp"

#include <doctest/doctest.h>

using namespace holdfast;

TEST_CASE("a cell is quoted where it must be, and no cell is a formula") {
  struct Row {
    std::string_view text, cell;
  };
  const Row rows[] = {
      {"plain", "plain"},
      {"a,b", "\"a,b\""},
      {"a \"b\"", "\"a \"\"b\"\"\""},
      {"two\nlines", "\"two\nlines\""},
      {"=1+1", "'=1+1"},
      {"@SUM(A1)", "'@SUM(A1)"},
      {"-cmd", "'-cmd"},
      {"+1-2", "'+1-2"},
      {"=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""},
      {"-5", "-5"},
      {"+1e3", "+1e3"},
      {"-", "'-"},
      {"", ""},
      {"'quoted'", "'quoted'"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(csv_cell(row.text) == row.cell);
    if (!row.cell.starts_with('"')) CHECK(from_csv_cell(row.cell) == row.text);
  }
}
