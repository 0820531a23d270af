#include "holdfast/report/chart/compare.hpp"
#include "holdfast/report/chart/groups.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace holdfast;

namespace {

GroupChart two_by_two() {
  GroupChart chart;
  chart.id = "boxes";
  chart.title = "makespan";
  chart.x = {.title = "age (d)", .labels = {"0d", "10d"}, .numbers = {0, 10}};
  chart.series = {.title = "strategy", .labels = {"a", "b", "unused"}};
  chart.quantity.title = "makespan (h)";
  for (std::size_t x = 0; x < 2; ++x) {
    for (std::size_t series = 0; series < 2; ++series) {
      chart.groups.push_back({.x = x,
                              .series = series,
                              .count = 5,
                              .center = 3,
                              .p10 = 1,
                              .p25 = 2,
                              .median = 2.5,
                              .p75 = 4,
                              .p90 = 5});
    }
  }
  return chart;
}

// Returns the cell of a row in the column of that name.
Value cell(const PageChart& chart, std::size_t row, std::string_view name) {
  for (std::size_t i = 0; i < chart.columns.size(); ++i) {
    if (chart.columns[i].name == name) return chart.rows[row][i];
  }
  FAIL("no column " << name);
  return {};
}

}  // namespace

TEST_CASE("group chart: a row per group, absent numbers are null, absent statistics no column") {
  GroupChart given = two_by_two();
  given.groups[3].median = kAbsent;
  const PageChart chart = box_chart(given);
  REQUIRE(chart.rows.size() == 4);
  REQUIRE(chart.columns.size() == chart.rows[0].size());
  CHECK(chart.columns[2].title == "mean, makespan (h)");
  CHECK(cell(chart, 3, "x") == Value("10d"));
  CHECK(cell(chart, 3, "series") == Value("b"));
  CHECK(cell(chart, 2, "median") == Value(2.5));
  CHECK(cell(chart, 3, "median").is_null());
  for (const DataColumn& column : chart.columns) CHECK(column.name != "low");  // no interval
}

TEST_CASE("curve chart: a row per point, with its facet where there are some") {
  CurveChart given;
  given.series = {.title = "strategy", .labels = {"a"}};
  given.quantity.title = "ratio";
  given.points = {{0, 0, 1, 0}, {0, 0, 1, 0.5}, {0, 0, 2, 1}};
  CHECK(curve_chart(given).columns.size() == 3);
  given.facet = {.title = "law", .labels = {"weibull"}};
  const PageChart chart = curve_chart(given);
  REQUIRE(chart.rows.size() == 3);
  CHECK(cell(chart, 2, "facet") == Value("weibull"));
  CHECK(cell(chart, 1, "fraction") == Value(0.5));
}

TEST_CASE("compare chart: a row for each number, as it was compared") {
  CompareChart given;
  given.numbers.push_back({.label = "a",
                           .expected = 2,
                           .measured = 3,
                           .difference = 50,
                           .allowed = 4,
                           .error = 10,
                           .verdict = "OUT",
                           .judged = Judged::out});
  given.numbers.push_back({.label = "b", .expected = 2, .measured = 2, .difference = 0});
  const PageChart chart = compare_chart(given);
  REQUIRE(chart.rows.size() == 2);
  CHECK(cell(chart, 0, "verdict") == Value("OUT"));
  CHECK(cell(chart, 0, "difference") == Value(50));
  CHECK(cell(chart, 1, "allowed").is_null());
}
