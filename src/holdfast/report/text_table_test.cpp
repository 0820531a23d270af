#include "holdfast/report/text_table.hpp"

#include <doctest/doctest.h>

namespace holdfast {

TEST_CASE("text table: texts stand left, numbers right, quantities in one unit of the title") {
  const Table table{.title = "two strategies",
                    .columns = {{"strategy"}, {"makespan", Unit::seconds, 5}, {"failures"}},
                    .rows = {{"next-step", 180000.0, 3}, {"young-daly", 201600.0, Value()}}};
  CHECK(to_text(table) ==
        "two strategies\n"
        "strategy    makespan (h)  failures\n"
        "----------  ------------  --------\n"
        "next-step             50         3\n"
        "young-daly            56         -\n");
}

TEST_CASE("text table: decimal points line up, decimals that say nothing are left out") {
  const Table table{.columns = {{"x", Unit::none, 4}}, .rows = {{1.5}, {Value(0.25)}, {Value(12)}}};
  CHECK(to_text(table) ==
        "    x\n"
        "-----\n"
        " 1.50\n"
        " 0.25\n"
        "12.00\n");
}

TEST_CASE("text table: values that no one unit serves carry their own") {
  const Table table{.columns = {{"age", Unit::seconds}}, .rows = {{1.0}, {Value(3.0 * kYear)}}};
  CHECK(to_text(table) ==
        "age\n"
        "---\n"
        "1 s\n"
        "3 y\n");
}

TEST_CASE("text table: columns of one unit are shown in one unit, the small ones with two digits") {
  const Table table{
      .columns = {{"mean", Unit::seconds, 4}, {"s.e.", Unit::seconds, 4}, {"cost", Unit::seconds}},
      .rows = {{400000.0, 500.0, 0.001}, {500000.0, 600.0, 0.002}}};
  CHECK(to_text(table) ==
        "mean (d)  s.e. (d)  cost (us)\n"
        "--------  --------  ---------\n"
        "   4.630    0.0058       1000\n"
        "   5.787    0.0069       2000\n");
}

TEST_CASE("text table: on a terminal sentences take several lines") {
  const Table table{.columns = {{"count"}, {"what"}},
                    .rows = {{3, "outages that are longer than thirty days"}, {12, "none"}}};
  CHECK(to_text(table, {.width = 36}) ==
        "count  what\n"
        "-----  -----------------------------\n"
        "    3  outages that are longer than\n"
        "       thirty days\n"
        "   12  none\n");
}

TEST_CASE("text table: nothing is cut, neither a name nor a number nor an interval") {
  const Table table{.columns = {{"name"}, {"value"}, {"interval"}},
                    .rows = {{"a-very-long-name", 1234567, "1.004 to 1.182"}}};
  CHECK(to_text(table, {.width = 20}) ==
        "name           value\n"
        "-----------  -------\n"
        "a-very-      1234567\n"
        "long-name\n"
        "\n"
        "name       interval\n"
        "---------  ---------\n"
        "a-very-    1.004 to\n"
        "long-name  1.182\n");
  CHECK(to_text(table, {.width = 5}).find("1234567") != std::string::npos);
}

TEST_CASE("text table: numbers that do not fit go below, beside what distinguishes the rows") {
  const Table table{.columns = {{"strategy"}, {"mean"}, {"median"}, {"p90"}},
                    .rows = {{"next-step", 123456, 234567, 345678}, {"daly", 1, 2, 3}}};
  CHECK(to_text(table, {.width = 30}) ==
        "strategy     mean  median\n"
        "---------  ------  ------\n"
        "next-step  123456  234567\n"
        "daly            1       2\n"
        "\n"
        "strategy      p90\n"
        "---------  ------\n"
        "next-step  345678\n"
        "daly            3\n");
}

TEST_CASE("text table: a name with a newline stays on its line") {
  const Table table{.columns = {{"job"}}, .rows = {{"a\nb"}, {"c"}}};
  CHECK(to_text(table) == "job\n------\na\\x0ab\nc\n");
}

TEST_CASE("text table: colour marks titles only") {
  const Table table{.title = "t", .columns = {{"x"}}, .rows = {{1}}};
  CHECK(to_text(table, {.color = true}) == "\x1b[1mt\x1b[0m\n\x1b[1mx\x1b[0m\n-\n1\n");
}

TEST_CASE("text table: a column of code points is as wide as it looks") {
  const Table table{.columns = {{"name"}, {"x"}}, .rows = {{"\xC3\xA9t\xC3\xA9", 1}, {"abcd", 2}}};
  CHECK(to_text(table) ==
        "name  x\n"
        "----  -\n"
        "\xC3\xA9t\xC3\xA9   1\n"
        "abcd  2\n");
}

}  // namespace holdfast
