#include "holdfast/base/units.hpp"
#include "holdfast/domains/checkpoint/advisor/cost_estimate.hpp"
#include "holdfast/domains/checkpoint/advisor/node_ages.hpp"
#include "holdfast/domains/checkpoint/advisor/progress_rate.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

bool within(double found, double expected, double relative) {
  return std::fabs(found - expected) <= relative * std::fabs(expected);
}

}  // namespace

TEST_CASE("cost estimate: newer durations weigh more, and the guess fades") {
  CHECK_FALSE(CostEstimate().value());
  CostEstimate cost(20);
  CHECK(*cost.value() == 20);
  cost.add(10);
  CHECK(within(*cost.value(), (10 + 0.45 * 20) / 1.45, 1e-14));
  cost.add(16);
  CHECK(within(*cost.value(), (16 + 0.9 * 10 + 0.405 * 20) / (1 + 0.9 + 0.405), 1e-14));
  CostEstimate alone;
  for (const double duration : {10.0, 16.0}) alone.add(duration);
  CHECK(within(*alone.value(), (16 + 0.9 * 10) / 1.9, 1e-14));
}

TEST_CASE("cost estimate: an outlier counts as five medians") {
  CostEstimate cost;
  for (const double duration : {10.0, 10.0, 1000.0}) cost.add(duration);
  CHECK(within(*cost.value(), (50 + 9 + 8.1) / 2.71, 1e-14));
}

TEST_CASE("cost estimate: the last 31 durations are kept") {
  CostEstimate cost;
  for (int i = 0; i < 100; ++i) cost.add(i);
  REQUIRE(cost.durations().size() == CostEstimate::kKept);
  CHECK(cost.durations().front() == 69);
  CHECK(cost.durations().back() == 99);
}

TEST_CASE("cost estimate: the reserve maximises what the last checkpoint is worth") {
  CostEstimate cost(30);
  CHECK(cost.reserve(1000) == 60);
  for (const double duration : {50.0, 10.0, 20.0, 30.0, 40.0}) cost.add(duration);
  // (U - c) j / 6: 950 * 5 is the most, and with 60 s at stake 30 * 3 is.
  CHECK(within(cost.reserve(1000), 55, 1e-14));
  CHECK(within(cost.reserve(60), 33, 1e-14));
}

TEST_CASE("progress rate: the median of intervals of at least a second") {
  ProgressRate rate;
  rate.add(0, 0);
  rate.add(0.5, 100);  // too soon
  CHECK_FALSE(rate.value());
  rate.add(2, 6);
  CHECK(*rate.value() == 3);
  rate.add(3, 16);
  rate.add(4, 20);
  CHECK(*rate.value() == 4);  // of 3, 10, 4
  rate.interrupt();
  rate.add(10, 0);  // set back: not a rate
  CHECK(*rate.value() == 4);
}

TEST_CASE("progress rate: nothing done is no rate") {
  ProgressRate rate;
  for (int i = 0; i < 5; ++i) rate.add(i, 7);
  CHECK_FALSE(rate.value());
}

TEST_CASE("node ages: Lambda of every group, and what a renewal changes") {
  const auto law = std::make_shared<const TabulatedLaw>(weibull_law_of_mean(0.7, 5 * kYear));
  const Ages ages = make_ages({{1000, 10}, {1e6, 500}, {kYear, 4000}});
  NodeAges nodes(law, ages, 50);
  CHECK(nodes.count() == 4510);
  Ages later = ages;
  for (AgeGroup& group : later.groups) group.age += 200;
  CHECK(
      within(nodes.expected(250, 3850), platform_cumulative_hazard(law->law(), later, 3600), 1e-7));
  HazardCurve curve;
  nodes.fill(250, 7200, 2.5, curve);
  CHECK(within(curve.cumulative(3600), 2.5 * platform_cumulative_hazard(law->law(), later, 3600),
               1e-5));
  // One of those that were renewed a million seconds before date 50 fails.
  nodes.renew_born(250, 50 - 1e6);
  const Ages left = nodes.at(250);
  REQUIRE(left.groups.size() == 4);
  CHECK(left.groups[0] == AgeGroup{0, 1});
  CHECK(left.groups[2].count == 499);
  CHECK(nodes.count() == 4510);
}

TEST_CASE("node ages: an unknown failure is that of the likeliest group") {
  const auto law = std::make_shared<const TabulatedLaw>(weibull_law(0.5, kYear));
  // h(x) is in proportion to x^-0.5: 10 / sqrt(1) against 50 / sqrt(100).
  NodeAges nodes(law, make_ages({{1000, 10}, {100'000, 50}}), 0);
  nodes.renew(1, std::nullopt);
  CHECK(nodes.at(1).groups[1].count == 9);
}

TEST_CASE("node ages: nodes that can be told apart") {
  const auto law = std::make_shared<const TabulatedLaw>(weibull_law(0.5, kYear));
  const std::vector<double> ages{500, 100, 500, 900};
  NodeAges nodes(law, ages, 0);
  REQUIRE(nodes.at(0).groups.size() == 3);
  nodes.renew(10, 2);
  nodes.renew(20, 2);
  nodes.renew(20, 3);
  const Ages found = nodes.at(30);
  REQUIRE(found.groups.size() == 3);
  CHECK(found.groups[0] == AgeGroup{10, 2});
  CHECK(found.groups[1] == AgeGroup{130, 1});
  CHECK(found.groups[2] == AgeGroup{530, 1});
}

TEST_CASE("node ages: another node takes the place of one") {
  const auto law = std::make_shared<const TabulatedLaw>(weibull_law_of_mean(0.5, 1e6));
  const auto ages = [](const NodeAges& nodes, double now) {
    std::vector<double> out;
    for (const AgeGroup& group : nodes.at(now).groups) {
      for (std::int64_t i = 0; i < group.count; ++i) out.push_back(group.age);
    }
    return out;
  };
  NodeAges nodes(law, std::vector<double>{100, 200, 300}, 0);
  nodes.renew(0, 1);
  CHECK(ages(nodes, 0) == std::vector<double>{0, 100, 300});
  nodes.replace(0, 1, -150.0);
  CHECK(ages(nodes, 0) == std::vector<double>{100, 150, 300});
  nodes.renew(10, 1);  // the place has its new age
  CHECK(ages(nodes, 10) == std::vector<double>{0, 110, 310});
  nodes.replace(10, std::nullopt, std::nullopt);  // as old as the middle one
  CHECK(ages(nodes, 10) == std::vector<double>{110, 110, 310});
  nodes.replace(10, 0, 1e9);  // from the future: new
  CHECK(ages(nodes, 10) == std::vector<double>{0, 110, 310});
}

TEST_CASE("node ages: very many renewals are binned") {
  const auto law = std::make_shared<const TabulatedLaw>(weibull_law_of_mean(0.7, 5 * kYear));
  NodeAges nodes(law, same_age(100'000, kYear), 0);
  Ages exact = same_age(97'000, kYear + 3000 * 600.0);
  for (int i = 1; i <= 3000; ++i) {
    nodes.renew_born(600.0 * i, -kYear);
    exact.groups.insert(exact.groups.begin(), {600.0 * (3000 - i), 1});
  }
  CHECK(nodes.count() == 100'000);
  CHECK(nodes.at(3000 * 600.0).groups.size() <= 2000);
  const double now = 3000 * 600.0;
  CHECK(within(nodes.expected(now, now + 3600), platform_cumulative_hazard(law->law(), exact, 3600),
               1e-4));
}

TEST_CASE("node ages: a failure that renews all") {
  const auto law = std::make_shared<const TabulatedLaw>(weibull_law(0.5, kYear));
  NodeAges nodes(law, same_age(8, 1000), 0, true);
  nodes.renew(100, std::nullopt);
  REQUIRE(nodes.at(100).groups.size() == 1);
  CHECK(nodes.at(100).groups[0] == AgeGroup{0, 8});
}
