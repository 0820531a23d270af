#include "holdfast/report/plain_table.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace holdfast {
namespace {

const Table kTable{
    .title = "two strategies",
    .columns = {{"strategy"}, {"mean", Unit::seconds, 5}, {"failures"}, {"known"}},
    .rows = {{"fixed:1h,\"quoted\"", 180000.0, 3, true}, {"a|b", 0.1 + 0.2, Value(), false}}};

}  // namespace

TEST_CASE("csv table: base units, all digits, what is absent is empty") {
  CHECK(to_csv(kTable) ==
        "strategy,mean (s),failures,known\n"
        "\"fixed:1h,\"\"quoted\"\"\",180000,3,1\n"
        "a|b,0.30000000000000004,,0\n");
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(to_csv({.columns = {{"x"}}, .rows = {{infinite}}}) == "x\n\n");
}

TEST_CASE("markdown table: cells as on a terminal, bars and marks escaped") {
  const Table table{.title = "a_b",
                    .columns = {{"strategy"}, {"mean", Unit::seconds, 5}},
                    .rows = {{"a|b", 180000.0}, {"c*", 201600.0}}};
  CHECK(to_markdown(table) ==
        "**a\\_b**\n\n"
        "| strategy | mean (h) |\n"
        "| --- | --: |\n"
        "| a\\|b | 50 |\n"
        "| c\\* | 56 |\n");
}

}  // namespace holdfast
