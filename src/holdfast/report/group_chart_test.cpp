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

std::string text_at(const Value& spec, const std::string& pointer) {
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
  CHECK(text_at(chart.spec, "/layer/1/encoding/color/condition/test") ==
        "\"datum.center > 6\"");  // of 3 and 9
}

TEST_CASE("group chart: a heat map of ratios is white at 1, and blue where they are better") {
  GroupChart given = two_by_two();
  given.quantity.rule = 1;
  for (std::size_t i = 0; i < given.groups.size(); ++i)
    given.groups[i].center = 0.5 + 0.25 * double(i);
  const auto scale = [&given](const char* what) {
    return text_at(heat_chart(given).spec, std::string("/layer/0/encoding/color/scale/") + what);
  };
  CHECK(scale("domain") == "[0.5,1,2]");  // of 0.5 to 1.25
  CHECK(scale("range") == R"(["#b35806","#f7f7f7","#1f5fa8"])");
  given.quantity.is_better_above = false;
  CHECK(scale("range") == R"(["#1f5fa8","#f7f7f7","#b35806"])");
  CHECK(text_at(heat_chart(given).spec, "/layer/1/encoding/text/format") == "\".2f\"");
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

TEST_CASE(
    "compare chart: a row for each number, its tolerance a band, what is out says by how much") {
  CompareChart given;
  given.numbers.push_back({.label = "a",
                           .expected = 2,
                           .measured = 3,
                           .difference = 50,
                           .allowed = 4,
                           .error = 10,
                           .verdict = "OUT",
                           .is_out = true});
  given.numbers.push_back({.label = "b", .expected = 2, .measured = 2, .difference = 0});
  const PageChart chart = compare_chart(given);
  REQUIRE(chart.rows.size() == 2);
  const auto cell = [&](std::size_t row, std::string_view name) {
    for (std::size_t i = 0; i < chart.columns.size(); ++i) {
      if (chart.columns[i].name == name) return chart.rows[row][i];
    }
    return Value();
  };
  CHECK(cell(0, "least") == Value(-4.0));
  CHECK(cell(0, "to") == Value(70.0));
  CHECK(cell(0, "note") == Value("+50 %"));
  CHECK(cell(1, "note") == Value(""));
  CHECK(cell(1, "allowed").is_null());
  // A dot that is far out does not make the bands too narrow to see: four of them.
  const std::string spec = to_compact_json(chart.spec);
  CHECK(spec.find("\"domain\":[-18.4,18.4]") != std::string::npos);
}
