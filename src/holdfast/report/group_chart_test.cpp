#include "holdfast/report/group_chart.hpp"

#include "holdfast/report/compare_chart.hpp"

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

std::string text_at(const Value& spec, const char* pointer) {
  const Value* value = spec.at(pointer);
  return value == nullptr ? "absent" : to_compact_json(*value);
}

}  // namespace

TEST_CASE("group chart: a row per group, absent numbers are null") {
  const PageChart chart = box_chart(two_by_two());
  REQUIRE(chart.rows.size() == 4);
  REQUIRE(chart.columns.size() == chart.rows[0].size());
  CHECK(chart.columns[4].title == "mean, makespan (h)");
  CHECK(chart.rows[3][1] == Value("10d"));
  CHECK(chart.rows[3][2] == Value(10));
  CHECK(chart.rows[3][3] == Value("b"));
  CHECK(chart.rows[3][5].is_null());  // no interval
}

TEST_CASE(
    "group chart: boxes have whiskers, a box, a tick and a point, apart by colour and by shape") {
  const PageChart chart = box_chart(two_by_two());
  const Value& spec = chart.spec;
  REQUIRE(spec.find("layer")->array_items()->size() == 4);
  CHECK(text_at(spec, "/layer/0/encoding/y/field") == "\"p10\"");
  CHECK(text_at(spec, "/layer/0/encoding/y2/field") == "\"p90\"");
  CHECK(text_at(spec, "/layer/1/encoding/y/field") == "\"p25\"");
  CHECK(text_at(spec, "/layer/2/encoding/y/field") == "\"median\"");
  CHECK(text_at(spec, "/layer/3/encoding/shape/field") == "\"series\"");
  CHECK(text_at(spec, "/layer/3/encoding/y/title") == "\"makespan (h)\"");
  // Colours stay the same from chart to chart, the legend names what is there.
  CHECK(text_at(spec, "/layer/1/encoding/color/scale/domain") == R"(["a","b","unused"])");
  CHECK(text_at(spec, "/layer/1/encoding/color/legend/values") == R"(["a","b"])");
}

TEST_CASE(
    "group chart: a rule and a logarithmic axis where they are asked for, small charts by facet") {
  GroupChart given = two_by_two();
  given.quantity.rule = 1;
  given.quantity.is_logarithmic = true;
  given.x.is_logarithmic = true;
  given.facet = {.title = "law", .labels = {"exponential", "weibull"}};
  given.groups[0].facet = 1;
  const PageChart chart = line_chart(given);
  CHECK(chart.facets == 2);
  CHECK(text_at(chart.spec, "/facet/field") == "\"facet\"");
  CHECK(text_at(chart.spec, "/spec/layer/0/data/values") == R"([{"at":1}])");
  CHECK(text_at(chart.spec, "/spec/layer/1/encoding/y/scale/type") == "\"log\"");
  CHECK(text_at(chart.spec, "/spec/layer/1/encoding/x/scale/type") == "\"log\"");
  CHECK(text_at(chart.spec, "/spec/layer/2/encoding/strokeDash/field") == "\"series\"");
}

TEST_CASE("group chart: a heat map writes its numbers in black on what is bright") {
  GroupChart given = two_by_two();
  given.groups[3].center = 9;
  const PageChart chart = heat_chart(given);
  CHECK(text_at(chart.spec, "/layer/0/mark/type") == "\"rect\"");
  CHECK(text_at(chart.spec, "/layer/1/encoding/color/condition/test/gt") == "6");  // of 3 and 9
}

TEST_CASE("curve chart: steps, and fractions from 0 to 1") {
  CurveChart given;
  given.series = {.title = "strategy", .labels = {"a"}};
  given.quantity.title = "ratio";
  given.points = {{0, 0, 1, 0}, {0, 0, 1, 0.5}, {0, 0, 2, 1}};
  const PageChart chart = curve_chart(given);
  CHECK(chart.rows.size() == 3);
  CHECK(text_at(chart.spec, "/layer/0/mark/interpolate") == "\"step-after\"");
  CHECK(text_at(chart.spec, "/layer/0/encoding/y/scale/domain") == "[0,1]");
}

TEST_CASE("compare chart: one row for each number that exists, what is out is marked") {
  CompareChart given;
  given.numbers.push_back({.panel = "mean",
                           .label = "a",
                           .published = 2,
                           .measured = 3,
                           .error = 0.25,
                           .verdict = "OUT",
                           .is_out = true});
  given.numbers.push_back({.panel = "mean", .label = "b", .reference = 2, .measured = 2});
  const PageChart chart = compare_chart(given);
  REQUIRE(chart.rows.size() == 4);
  CHECK(chart.rows[1][2] == Value("measured"));
  CHECK(chart.rows[1][4] == Value(2.5));
  CHECK(chart.rows[1][5] == Value(3.5));
  CHECK(chart.rows[1][9] == Value(true));
  CHECK(chart.rows[0][9] == Value(false));
  CHECK(chart.rows[3][4].is_null());
}
