#include "holdfast/report/chart/compare.hpp"
#include "holdfast/report/chart/frame.hpp"
#include "holdfast/report/chart/groups.hpp"
#include "holdfast/report/chart/scale.hpp"
#include "holdfast/report/svg_text.hpp"
#include "holdfast/report/time_axis.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

GroupChart two_ages() {
  GroupChart chart;
  chart.id = "boxes";
  chart.title = "makespan & more";
  chart.caption = "Boxes.";
  chart.x = {.title = "age (d)", .labels = {"0d", "10d"}, .numbers = {0, 10}};
  chart.series = {.title = "strategy", .labels = {"a", "b<c>", "unused"}};
  chart.quantity.title = "makespan (h)";
  for (std::size_t x = 0; x < 2; ++x) {
    for (std::size_t series = 0; series < 2; ++series) {
      const double more = static_cast<double>(x + 2 * series);
      chart.groups.push_back({.x = x,
                              .series = series,
                              .count = 5,
                              .center = 3 + more,
                              .low = 2.5 + more,
                              .high = 3.5 + more,
                              .p10 = 1 + more,
                              .p25 = 2 + more,
                              .median = 2.5 + more,
                              .p75 = 4 + more,
                              .p90 = 5 + more});
    }
  }
  return chart;
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

struct Mark {
  double x = 0;
  double y = 0;
};

// The symbols of a picture in their order; those of the legend come first.
std::vector<Mark> marks_of(const std::string& svg) {
  constexpr std::string_view kBefore = " transform=\"translate(";
  std::vector<Mark> out;
  for (auto at = svg.find("class=\"mark\""); at != std::string::npos;
       at = svg.find("class=\"mark\"", at + 1)) {
    const auto place = svg.find(kBefore, at);
    if (place == std::string::npos) break;
    char* end = nullptr;
    Mark mark;
    mark.x = std::strtod(svg.c_str() + place + kBefore.size(), &end);
    mark.y = std::strtod(end, nullptr);
    out.push_back(mark);
  }
  return out;
}

}  // namespace

TEST_CASE("framed charts: a symbol for each group and for each series that has one") {
  for (const PageChart& chart :
       {box_chart(two_ages()), line_chart(two_ages()), point_chart(two_ages())}) {
    const std::string svg = chart.draw({});
    CHECK(marks_of(svg).size() == 4 + 2);
    CHECK_FALSE(has(svg, "unused"));
    CHECK(has(svg, "b&lt;c&gt;"));
    CHECK(has(svg, "makespan &amp; more"));
    CHECK(has(svg, "age (d)"));
    CHECK_FALSE(has(svg, "nan"));
    CHECK_FALSE(has(svg, "inf"));
  }
}

TEST_CASE("framed charts: more stands higher, later stands further to the right") {
  const std::string svg = line_chart(two_ages()).draw({});
  const std::vector<Mark> marks =
      marks_of(svg);  // two of the legend, then a at 0 and 10 d, b at 0 and 10 d
  REQUIRE(marks.size() == 6);
  CHECK(marks[2].x == marks[4].x);
  CHECK(marks[2].x < marks[3].x);
  // Means of 3, 4, 5 and 6 h lie in equal steps.
  const double step = marks[2].y - marks[3].y;
  CHECK(step > 0);
  CHECK(marks[3].y - marks[4].y == doctest::Approx(step).epsilon(0.01));
  CHECK(marks[4].y - marks[5].y == doctest::Approx(step).epsilon(0.01));
}

TEST_CASE("framed charts: series of a group stand beside each other, groups apart") {
  const std::vector<Mark> marks = marks_of(box_chart(two_ages()).draw({}));
  REQUIRE(marks.size() == 6);
  CHECK(marks[2].x < marks[4].x);  // a and b at 0 d
  CHECK(marks[4].x < marks[3].x);  // b at 0 d, a at 10 d
}

TEST_CASE("framed charts: on a page colours are its variables, in a file they are colours") {
  GroupChart chart = two_ages();
  chart.reference = 0;
  const PageChart made = box_chart(chart);
  const std::string page = made.draw({.width = 400, .is_page = true});
  CHECK(has(page, "var(--grey)"));
  CHECK(has(page, "var(--series-0)"));
  CHECK_FALSE(has(page, "fill=\"#"));
  CHECK_FALSE(has(page, "Boxes."));  // the caption stands beside it
  const std::string file = made.draw({});
  CHECK_FALSE(has(file, "var(--"));
  CHECK(has(file, "Boxes."));
  CHECK(has(file, "fill=\"#ffffff\""));
}

TEST_CASE(
    "framed charts: a small chart for each facet that has rows, below each other where it is "
    "narrow") {
  GroupChart chart = two_ages();
  chart.facet = {.title = "law", .labels = {"exponential", "no row", "weibull"}};
  for (ChartGroup group : two_ages().groups) {
    group.facet = 2;
    chart.groups.push_back(group);
  }
  const PageChart made = box_chart(chart);
  const std::string wide = made.draw({.width = 800, .is_page = true});
  CHECK(has(wide, ">exponential<"));
  CHECK(has(wide, ">weibull<"));
  CHECK_FALSE(has(wide, "no row"));
  std::vector<Mark> marks = marks_of(wide);
  REQUIRE(marks.size() == 2 + 8);
  CHECK(marks[2].y == marks[6].y);
  CHECK(marks[6].x > marks[2].x + 300);
  marks = marks_of(made.draw({.width = 380, .is_page = true}));
  CHECK(marks[2].x == marks[6].x);
  CHECK(marks[6].y > marks[2].y + 200);
}

TEST_CASE("framed charts: a heat map has a cell and a number for each group") {
  GroupChart chart = two_ages();
  chart.quantity.rule = 0;
  chart.groups[0].center = -80;
  chart.groups[1].center = 0;
  chart.groups[2].center = 80;
  chart.groups[3].center = 12.5;
  const std::string svg = heat_chart(chart).draw({});
  CHECK(count_of(svg, "<rect class=\"mark\"") == 4);
  for (const char* text : {">-80.0<", ">0.0<", ">80.0<", ">12.5<"}) CHECK(has(svg, text));
  CHECK(has(svg, "fill=\"#b35806\""));  // the worst
  CHECK(has(svg, "fill=\"#f7f7f7\""));  // equal
  CHECK(has(svg, "fill=\"#1f5fa8\""));  // the best
  // One that is worse by far takes no colour from the others.
  chart.groups[0].center = -700;
  chart.groups[2].center = 100;
  const std::string saturated = heat_chart(chart).draw({});
  for (const char* text : {">-700<", ">-100<", "fill=\"#b35806\"", "fill=\"#1f5fa8\""})
    CHECK(has(saturated, text));
}

TEST_CASE("framed charts: every mark names its row, and every series can be switched off") {
  for (const PageChart& chart :
       {box_chart(two_ages()), line_chart(two_ages()), point_chart(two_ages())}) {
    const std::string svg = chart.draw({});
    for (const char* row : {"0", "1", "2", "3"})
      CHECK(count_of(svg, std::string("<g data-row=\"") + row + "\"><title>") == 1);
    for (const char* series : {"0", "1"})  // in the legend and among the marks
      CHECK(count_of(svg, std::string("<g data-series=\"") + series + "\">") >= 2);
    CHECK_FALSE(has(svg, "data-series=\"2\""));
    CHECK(has(svg, "<title>0d, b&lt;c&gt;: mean 5, 95 % interval 4.5 to 5.5, median 4.5</title>"));
  }
}

TEST_CASE("framed charts: a chart that needs more than its place keeps its size") {
  GroupChart chart = two_ages();
  CHECK_FALSE(has(box_chart(chart).draw({.width = 400, .is_page = true}), "class=\"broad\""));
  for (int i = 0; i < 30; ++i) chart.x.labels.push_back(std::to_string(i));
  CHECK(has(box_chart(chart).draw({.width = 400, .is_page = true}), "class=\"broad\""));
}

TEST_CASE("framed charts: a last label stays inside the picture") {
  GroupChart chart = two_ages();
  chart.x.numbers = {0, 100000};
  const std::string svg = line_chart(chart).draw({.width = 400, .is_page = true});
  const auto label = svg.find(">100000<");
  REQUIRE(label != std::string::npos);
  const auto place = svg.rfind("<text x=\"", label) + 9;
  CHECK(std::strtod(svg.c_str() + place, nullptr) + text_width("100000", 12) / 2 <= 400);
}

TEST_CASE("framed charts: curves are steps, and what they cannot show is left out") {
  CurveChart chart;
  chart.title = "distribution";
  chart.series = {.title = "strategy", .labels = {"a"}};
  chart.quantity = {.title = "makespan (h)", .is_logarithmic = true};
  chart.points = {{.value = 1, .fraction = 0.25},
                  {.value = 10, .fraction = 0.5},
                  {.value = 100, .fraction = 1}};
  const std::string svg = curve_chart(chart).draw({});
  const auto line = svg.find("<path ", svg.find("class=\"curve\""));
  REQUIRE(line != std::string::npos);
  const std::string path = svg.substr(line, svg.find('>', line) - line);
  CHECK(count_of(path, "H") == 2);
  CHECK(count_of(path, "V") == 2);
  CHECK(has(svg, ">100 %<"));
  CHECK(has(svg, ">0 %<"));
}

TEST_CASE("framed charts: compared numbers have a dot each, what is out says by how much") {
  CompareChart chart;
  chart.title = "differences";
  chart.numbers = {{.label = "one",
                    .expected = 10,
                    .measured = 10.1,
                    .difference = 1,
                    .allowed = 5,
                    .judged = Judged::within},
                   {.label = "two",
                    .expected = 10,
                    .measured = 13,
                    .difference = 30,
                    .allowed = 5,
                    .judged = Judged::out},
                   {.label = "three", .expected = 10, .measured = 9, .difference = -10},
                   {.label = "four",
                    .expected = 10,
                    .measured = 5,
                    .difference = -50,
                    .allowed = 5,
                    .judged = Judged::unsure}};
  const std::string svg = compare_chart(chart).draw({});
  CHECK(marks_of(svg).size() == 4 + 4);
  CHECK(has(svg, ">+30 %<"));
  CHECK_FALSE(has(svg, ">+1 %<"));
  for (const char* kind : {">within<", ">out<", ">too few samples to say<", ">not judged<"})
    CHECK(has(svg, kind));
  // What nobody can judge is hollow, in the legend and among the marks; and a dot that is far out does not make the bands too
  // narrow to see: four tolerances are.
  CHECK(count_of(svg, "fill=\"none\" stroke=\"#CC79A7\" stroke-width=\"1.6\"") == 2);
  CHECK(has(svg, ">-20<"));
  CHECK_FALSE(has(svg, ">-30<"));
}

TEST_CASE("framed charts: one value, and no value at all") {
  GroupChart chart = two_ages();
  chart.groups.resize(1);
  chart.groups[0] = {.center = 7, .p10 = 7, .p25 = 7, .median = 7, .p75 = 7, .p90 = 7};
  CHECK_FALSE(has(box_chart(chart).draw({}), "nan"));
  chart.groups.clear();
  CHECK_FALSE(has(box_chart(chart).draw({}), "nan"));
  CHECK_FALSE(has(line_chart(chart).draw({}), "nan"));
}

TEST_CASE("axes: values that differ by rounding alone end, with one tick or a wider axis") {
  const double next = std::nextafter(0.8, 1.0);
  CHECK(make_axis(0.8, next, "", 5).ticks.size() == 1);
  CHECK(make_axis(1.7e9, 1.7e9 + 1e-6, "s", 5).ticks.size() == 1);
  for (const bool is_logarithmic : {false, true}) {
    const ChartScale scale({.low = 0.8, .high = next, .is_logarithmic = is_logarithmic}, {0, 100});
    CHECK(scale.ticks("", 5).ticks.size() >= 2);
    CHECK(scale.place(next) < 1);
  }
}

TEST_CASE("label lines: broken after marks, else anywhere, and nothing is lost") {
  CHECK(label_lines("fixed:period=1800", 80, 12) ==
        std::vector<std::string>{"fixed:", "period=", "1800"});
  CHECK(label_lines("weibull, shape 0.7", 200, 12) ==
        std::vector<std::string>{"weibull, shape 0.7"});
  const std::vector<std::string> cut = label_lines("abcdefghijklmnopqrstuvwxyz", 60, 12);
  std::string all;
  for (const std::string& line : cut) {
    CHECK(text_width(line, 12) <= 60);
    all += line;
  }
  CHECK(all == "abcdefghijklmnopqrstuvwxyz");
  CHECK(label_lines("", 60, 12).empty());
}
