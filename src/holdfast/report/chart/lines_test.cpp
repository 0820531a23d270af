#include "holdfast/report/chart/lines.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

using namespace holdfast;

namespace {

std::size_t times_in(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE(
    "to_svg: a line per series, corners for steps, gaps where there is no number, texts escaped") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const LineChart chart{
      .title = "a < b",
      .x = {.title = "age", .unit = "s", .is_logarithmic = true},
      .y = {.title = "survival", .unit = ""},
      .lines = {{.name = "steps", .x = {1, 10, 100}, .y = {1, 0.5, 0}, .is_step = true},
                {.name = "gap & band",
                 .x = {1, 2, 3, 4, 5},
                 .y = {1, 0.9, nan, 0.7, 0.6},
                 .low = {1, 0.8, 0.7, 0.6, 0.5},
                 .high = {1, 1, 1, 1, 1}}}};
  const std::string svg = to_svg(chart);
  CHECK(svg.starts_with("<svg "));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(svg.find("a &lt; b") != std::string::npos);
  CHECK(svg.find("gap &amp; band") != std::string::npos);
  CHECK(times_in(svg, "fill-opacity") == 1);  // a band
  CHECK(times_in(svg, "<title>gap &amp; band</title>") == 1);
  CHECK(svg.find("nan") == std::string::npos);
  // From (1, 1) to (100, 0): corners at each step, which are as far apart on a logarithmic axis.
  double x[3] = {};
  double y[3] = {};
  const auto path = svg.find("<path d=\"M", svg.find("<title>steps</title>"));
  REQUIRE(std::sscanf(svg.c_str() + path, "<path d=\"M%lf %lfH%lfV%lfH%lfV%lf\"", &x[0], &y[0],
                      &x[1], &y[1], &x[2], &y[2]) == 6);
  CHECK(x[1] - x[0] == doctest::Approx(x[2] - x[1]).epsilon(0.001));
  CHECK(y[1] - y[0] == doctest::Approx(y[2] - y[1]).epsilon(0.001));
  CHECK(y[0] < y[1]);
  // The line with a gap has two parts.
  const auto gap = svg.find("<path d=\"", svg.find("<title>gap &amp; band</title>"));
  CHECK(times_in(svg.substr(gap, svg.find('>', gap) - gap), "M") == 2);
}

TEST_CASE("to_svg: measurements are dots, those that an axis cannot show left out") {
  const LineChart chart{
      .title = "",
      .x = {.title = "x", .unit = "", .is_logarithmic = true},
      .y = {.title = "y", .unit = ""},
      .lines = {{.name = "a", .x = {0, 1, 100}, .y = {1, 0, 1}, .is_points = true}}};
  const std::string svg = to_svg(chart);
  CHECK(times_in(svg, "class=\"mark\"") == 3);  // one in the legend
  CHECK(times_in(svg, "stroke-width") == 0);    // no line
}

TEST_CASE("to_svg: one value only, and values that a logarithm cannot show") {
  const LineChart one{.title = "",
                      .x = {.title = "x", .unit = ""},
                      .y = {.title = "y", .unit = ""},
                      .lines = {{.name = "a", .x = {3}, .y = {3}}}};
  CHECK(to_svg(one).find("inf") == std::string::npos);
  const LineChart zero{.title = "",
                       .x = {.title = "x", .unit = "s", .is_logarithmic = true},
                       .y = {.title = "y", .unit = ""},
                       .lines = {{.name = "a", .x = {0, 1, 100}, .y = {1, 2, 3}}}};
  CHECK(to_svg(zero).find("nan") == std::string::npos);
}
