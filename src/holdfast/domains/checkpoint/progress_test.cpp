#include "holdfast/domains/checkpoint/progress.hpp"

#include "holdfast/domains/checkpoint/point.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

std::vector<std::string> warnings_of(std::string_view document) {
  const auto point = open_point(parse_json(document).value(), {}, ".");
  REQUIRE(point);
  const auto warnings = (*point)->warnings();
  return {warnings.begin(), warnings.end()};
}

bool says(std::string_view document, std::string_view part) {
  for (const std::string& warning : warnings_of(document)) {
    if (warning.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE(
    "progress: a run without a chance is told before it is made, with what was probably meant") {
  CHECK(says(
      R"({"work": "2d", "checkpoint": "20min", "processors": 8000, "failures": {"mtbf": "1d"}})",
      "fail every 10.8 s together, less than a checkpoint and a recovery (40 min): no plan makes "
      "progress. If 1 d is the MTBF of the whole machine, say --platform-mtbf 1d"));
  CHECK(
      says(R"({"work": 1e300, "checkpoint": "20min", "failures": {"mtbf": "1d"}})", "no run ends"));
  CHECK(warnings_of(R"({"work": "2d", "checkpoint": "20min", "processors": 8000,
                        "failures": {"platform_mtbf": "1d"}})")
            .empty());
}

TEST_CASE(
    "progress: new processors are told where the law has a memory and nobody said their age") {
  constexpr std::string_view kNew = "all 100 processors are taken as new";
  CHECK(says(R"({"work": "2d", "checkpoint": "20min", "processors": 100,
                 "failures": {"distribution": "weibull", "shape": 0.7, "mtbf": "10y"}})",
             kNew));
  CHECK(warnings_of(R"({"work": "2d", "checkpoint": "20min", "processors": 100, "platform_age": 0,
                        "failures": {"distribution": "weibull", "shape": 0.7, "mtbf": "10y"}})")
            .empty());
  CHECK(warnings_of(R"({"work": "2d", "checkpoint": "20min", "ages": [[5, 100]],
                        "failures": {"distribution": "weibull", "shape": 0.7, "mtbf": "10y"}})")
            .empty());
  CHECK(warnings_of(R"({"work": "2d", "checkpoint": "20min", "processors": 100,
                        "failures": {"mtbf": "10y"}})")
            .empty());
}

TEST_CASE("progress: the whole machine's mean counts the processors of the ages") {
  const auto point =
      open_point(parse_json(R"({"work": "2d", "checkpoint": "20min", "ages": [[5, 60], [9, 40]],
                     "failures": {"platform_mtbf": 10}})")
                     .value(),
                 {}, ".");
  REQUIRE(point);
  CHECK((*point)->definition().at("/failures/mtbf")->number() == 1000);
}

TEST_CASE("progress: a platform whose past nobody can draw is refused") {
  const auto point = open_point(
      parse_json(
          R"({"work": "2d", "checkpoint": "20min", "processors": 10000, "platform_age": "1e6y",
                     "failures": {"mtbf": "10y"}})")
          .value(),
      {}, ".");
  REQUIRE_FALSE(point);
  CHECK(point.error().where == "/platform_age");
}
