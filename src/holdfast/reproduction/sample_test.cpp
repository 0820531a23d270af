#include "holdfast/reproduction/sample.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string_view>

namespace holdfast::reproduction {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Two instances of two scenarios; the last pair lacks its second value, one cell did not finish.
Sample pairs() {
  return {{{2, 1, true, 0, 0}, {8, 4, true, 0, 0}, {9, 3, true, 1, 1}, {5, kNone, false, 1, 1}}};
}

double value(std::string_view statistic) {
  return Statistic::parse(statistic)->of(pairs()).value();
}

}  // namespace

TEST_CASE("statistics: each by hand on four cells, three of them pairs") {
  struct Case {
    std::string_view name;
    double expected;
  };
  const Case cases[] = {
      {"mean", 6},      // (2 + 8 + 9 + 5) / 4
      {"median", 6.5},  // between 5 and 8
      {"minimum", 2},
      {"maximum", 9},
      {"spread", 8.7 / 2.9},  // p90: 8 + 0.7 (9 - 8); p10: 2 + 0.3 (5 - 2)
      {"failed", 1},
      {"completed", 3},
      {"failed-percent", 25},
      {"geometric-mean", std::cbrt(12.0)},  // ratios 2, 2, 3
      {"ratio-median", 2},
      {"ratio-mean", 7.0 / 3},
      {"ratio-of-means", 19.0 / 8},  // (2 + 8 + 9) / (1 + 4 + 3)
      {"wins-percent", 0},
      {"wins-percent:2", 200.0 / 3},
      {"less-percent", 0},
      {"ties-percent", 0},
      {"instance-mean", 6},  // means of instances: 5 and 7
      {"instance-maximum", 7},
      {"instance-geometric-mean", std::sqrt(6.0)},  // 5 / 2.5 and 9 / 3
      {"difference-percent", 150},                  // (5 - 2.5) / 2.5 = 1 and (9 - 3) / 3 = 2
      {"difference-sd", std::sqrt(0.5)},
  };
  for (const Case& one : cases) {
    CAPTURE(one.name);
    CHECK(value(one.name) == doctest::Approx(one.expected).epsilon(1e-12));
  }
}

TEST_CASE("statistics: the standard error of a mean is that of the means of its groups") {
  const Sample sample{{{1, kNone, true, 0, 0},
                       {3, kNone, true, 0, 0},
                       {4, kNone, true, 1, 1},
                       {6, kNone, true, 1, 1},
                       {8, kNone, true, 2, 2},
                       {8, kNone, true, 2, 2}}};
  // means 2, 5, 8: standard deviation 3, over the root of 3
  const Measured measured = Statistic::parse("mean")->measure(sample);
  CHECK(measured.value == doctest::Approx(5));
  CHECK(measured.standard_error.value() == doctest::Approx(std::sqrt(3.0)).epsilon(1e-12));
}

TEST_CASE("statistics: one group has no standard error, no cell has no value") {
  const Sample one{{{1, kNone, true, 0, 0}, {3, kNone, true, 0, 1}}};
  CHECK_FALSE(Statistic::parse("mean")->measure(one).standard_error);
  CHECK_FALSE(Statistic::parse("mean")->measure(Sample{}).value);
  CHECK_FALSE(Statistic::parse("geometric-mean")->measure(one).value);
}

TEST_CASE("statistics: an unknown one is refused with the nearest") {
  CHECK(Statistic::parse("geometric-maen").error().message ==
        "unknown statistic 'geometric-maen'; did you mean 'geometric-mean'?");
  CHECK_FALSE(Statistic::parse("wins-percent:x"));
}

}  // namespace holdfast::reproduction
