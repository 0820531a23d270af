#include "holdfast/models/resilience/concurrent.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace holdfast;

namespace {

// The example of section 6.2: 300 tasks of 10 h on 30 processors, in hours.
const double kRate = 30 / (-300 / std::log(0.995));
const SegmentedTask kTask{.work = 10, .segments = 1, .rate = kRate};
const ResilienceCosts kCosts{.checkpoint = 0.1, .recovery = 0.1, .downtime = 1.0 / 60};

}  // namespace

TEST_CASE("slowest of 300: the bound of equation (6.2)") {
  const double bound = slowest_ratio_bound(300, kTask, kCosts);
  CHECK(std::abs(bound - 3.79) <= 0.005);  // printed with two decimals
}

TEST_CASE("slowest of 300: lost time and the two bounds of the example") {
  CHECK(mean_lost_time(10.1, kRate) == doctest::Approx(5.045739).epsilon(1e-7));
  // More than 14 h with one segment; less than 12.75 h with five.
  CHECK(slowest_time_bounds(300, kTask, kCosts).lower == doctest::Approx(14.132).epsilon(4e-5));
  const SegmentedTask five{.work = 10, .segments = 5, .rate = kRate};
  CHECK(slowest_time_bounds(300, five, kCosts).upper < 12.75);
}

TEST_CASE("slowest of many: the tight instances of Theorem 22") {
  struct Row {
    double k, min_exp, check_more;
  };
  const Row rows[] = {{2, 8.74, 6.61}, {3, 8.89, 5.92}, {4, 9.38, 5.65}, {5, 9.96, 5.50}};
  for (const Row& row : rows) {
    CAPTURE(row.k);
    const double rate = std::log1p(1 / (2 * row.k)) / (2 * row.k);
    const double n = std::floor(std::exp(std::sqrt(2 / rate) - 1));
    const ResilienceCosts costs{.checkpoint = 1};
    const SegmentedTask one{.work = 2 * row.k - 1, .segments = 1, .rate = rate};
    const SegmentedTask many{
        .work = 2 * row.k - 1, .segments = static_cast<std::int64_t>(2 * row.k - 1), .rate = rate};
    CHECK(std::abs(slowest_ratio_bound(n, one, costs) - row.min_exp) <= 0.005);
    CHECK(std::abs(slowest_ratio_bound(n, many, costs) - row.check_more) <= 0.005);
  }
}

TEST_CASE("slowest of many: small numbers, and limits of the formulas") {
  CHECK(std::isfinite(slowest_ratio_bound(1, kTask, kCosts)));
  CHECK(slowest_ratio_bound(1, kTask, kCosts) <= slowest_ratio_bound(2, kTask, kCosts));
  CHECK(slowest_ratio_short(1, 1) == 6);
  CHECK(slowest_ratio_short(std::exp(1.0), 2) == doctest::Approx(0.4 + 4.5));
  CHECK(largest_failure_count(300, kTask, kCosts) > 1);
  CHECK(mean_lost_time(1e-9, 1) == doctest::Approx(5e-10));  // half of a short attempt
  const SegmentedTask hopeless{.work = 1e6, .segments = 1, .rate = 1};
  CHECK(std::isinf(slowest_ratio_bound(2, hopeless, kCosts)));
}
