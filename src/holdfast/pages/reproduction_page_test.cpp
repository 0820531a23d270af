#include "holdfast/pages/reproduction_page.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace holdfast;

TEST_CASE("reproduction page: a metric beside the strategies is a line of its own") {
  reproduction::Reproduced one;
  one.item.id = "item";
  one.item.title = "shares and their bound";
  one.item.chart.emplace();
  one.item.chart->x = "bandwidth";
  one.item.chart->metric = "useful_share";
  one.item.chart->strategies = {"fcfs"};
  one.item.chart->beside = {"bound"};
  const auto curve = [](std::string name, bool is_beside, double value) {
    return reproduction::Curve{.strategy = std::move(name),
                               .is_beside = is_beside,
                               .x = {40, 80},
                               .mean = {value, value},
                               .p10 = {value, value},
                               .p90 = {value, value}};
  };
  one.figure.panels.push_back(
      {.title = "", .curves = {curve("fcfs", false, 0.6), curve("bound", true, 0.7)}});
  const Page page = reproduction_page({&one, 1}, 1, "holdfast reproduce item --report");
  const PageChart* figure = nullptr;
  for (const PageSection& section : page.sections) {
    for (const PageChart& chart : section.charts) {
      if (chart.id == "item-figure") figure = &chart;
    }
  }
  REQUIRE(figure != nullptr);
  const auto rows_of = [&](std::string_view name) {
    return std::count_if(figure->rows.begin(), figure->rows.end(), [&](const Value::Array& row) {
      return std::any_of(row.begin(), row.end(), [&](const Value& cell) {
        return cell.string() != nullptr && *cell.string() == name;
      });
    });
  };
  CHECK(rows_of("fcfs") == 2);
  CHECK(rows_of("bound") == 2);
}
