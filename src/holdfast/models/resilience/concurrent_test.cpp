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
  const SegmentedTask hopeless{.work = 1e6, .segments = 1, .rate = 1};
  CHECK(std::isinf(slowest_ratio_bound(2, hopeless, kCosts)));
}
