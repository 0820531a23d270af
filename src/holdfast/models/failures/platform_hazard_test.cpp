#include "holdfast/models/failures/platform_hazard.hpp"

#include "holdfast/models/failures/test_laws.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

using namespace holdfast;

namespace {

constexpr double kDay = 86400;

StreamKey key_of(std::uint64_t scenario) {
  return {
      .seed = 21, .purpose = Purpose::failures, .instance = 0, .scenario = scenario, .entity = 0};
}

/// Compares a filled curve with the exact sums over the trace's ages.
void check_state(PlatformHazard& hazard, const FailureTrace& trace, const Law& law,
                 std::size_t seen, double date, double span, double tolerance) {
  HazardCurve curve;
  hazard.fill(seen, date, span, curve);
  const Ages ages = trace.ages_at(seen, date);
  CHECK(curve.span() == span);
  CHECK(curve.cumulative(0) == 0);
  for (double x = 1e-3 * span; x <= span; x *= 2.3) {
    const HazardValue exact = platform_hazard(law, ages, x);
    const HazardValue value = curve.at(x);
    CHECK(std::abs(value.cumulative - exact.cumulative) <= tolerance * exact.cumulative + 1e-9);
    CHECK(is_near(value.hazard, exact.hazard, 2 * tolerance));
    CHECK(std::abs(value.slope - exact.slope) <= 10 * tolerance * exact.hazard / x);
  }
  CHECK(is_near(hazard.hazard(seen, date), platform_hazard(law, ages, 0).hazard, 2 * tolerance));
}

}  // namespace

TEST_CASE("PlatformHazard: against the sum over all ages, along a trace") {
  for (const Law& law : campaign_laws()) {
    CAPTURE(law.text());
    const auto table = std::make_shared<const TabulatedLaw>(law);
    for (const std::int64_t processors : {3, 1000, 50000}) {
      CAPTURE(processors);
      FailureTrace trace = FailureTrace::sample(table, processors, key_of(0));
      PlatformHazard hazard{*table, trace};
      const double gap = kTenYears / static_cast<double>(processors);
      for (const std::size_t seen : {0U, 1U, 7U, 8U, 15U, 16U, 17U, 40U, 255U, 2000U}) {
        CAPTURE(seen);
        REQUIRE(trace.reach(seen));
        const double next = trace.failures()[seen].date;
        const double last = seen > 0 ? trace.failures()[seen - 1].date : 0;
        const double date = last + 0.5 * (next - last);
        check_state(hazard, trace, law, seen, date, 30 * gap, 8e-5);
      }
    }
  }
}

TEST_CASE("PlatformHazard: at 365 days, p = 1e5, error of Lambda below 8e-5, as promised") {
  for (const Law& law : {weibull_law_of_mean(0.5, kTenYears), gamma_law_of_mean(0.5, kTenYears),
                         lognormal_law_of_ratio(kTenYears, 2.51)}) {
    CAPTURE(law.text());
    const auto table = std::make_shared<const TabulatedLaw>(law);
    FailureTrace trace = FailureTrace::sample(table, 100000, key_of(1));
    PlatformHazard hazard{*table, trace};
    for (const double days : {1.0, 10.0, 100.0, 365.0}) {
      CAPTURE(days);
      const double date = days * kDay;
      check_state(hazard, trace, law, trace.index_at(date), date, 2 * kDay, 8e-5);
    }
  }
}

TEST_CASE("PlatformHazard: what it answers does not depend on what was asked before") {
  const auto table = std::make_shared<const TabulatedLaw>(weibull_law_of_mean(0.7, kTenYears));
  FailureTrace trace = FailureTrace::sample(table, 30000, key_of(2));
  trace.reach_date(400 * kDay);
  PlatformHazard used{*table, trace};
  HazardCurve curve;
  HazardCurve again;
  for (std::size_t seen = 1; seen < 500; seen += 13) {
    used.fill(seen, trace.failures()[seen - 1].date + 70, 1000.0 * static_cast<double>(seen),
              curve);
  }
  for (std::size_t seen = 400; seen > 30; seen -= 37) {
    const double date = trace.failures()[seen - 1].date + 66;
    PlatformHazard fresh{*table, trace};
    fresh.fill(seen, date, 2e5, again);
    used.fill(seen, date, 2e5, curve);
    CHECK(fresh.hazard(seen, date) == used.hazard(seen, date));
    for (double x = 1; x < 2e5; x *= 3) {
      CHECK(curve.cumulative(x) == again.cumulative(x));
      CHECK(curve.hazard(x) == again.hazard(x));
    }
  }
}

TEST_CASE("PlatformHazard: right after a failure, and on a platform just born") {
  const Law law = weibull_law_of_mean(0.5, kTenYears);
  const auto table = std::make_shared<const TabulatedLaw>(law);
  FailureTrace trace = FailureTrace::sample(table, 10000, key_of(3));
  trace.reach(100);
  PlatformHazard hazard{*table, trace};
  HazardCurve curve;
  for (const std::size_t seen : {0U, 1U, 30U, 100U}) {
    CAPTURE(seen);
    const double date = seen == 0 ? 0 : trace.failures()[seen - 1].date;  // an age of 0
    hazard.fill(seen, date, 1e5, curve);
    const Ages ages = trace.ages_at(seen, date);
    for (double x = 1e-3; x < 1e5; x *= 3) {
      CHECK(is_near(curve.cumulative(x), platform_cumulative_hazard(law, ages, x), 2e-5));
    }
  }
}

TEST_CASE("PlatformHazard: processors with ages, few groups and many") {
  const Law law = lognormal_law_of_ratio(kTenYears, 2.51);
  const auto table = std::make_shared<const TabulatedLaw>(law);
  std::vector<AgeGroup> many;
  for (int i = 0; i < 300; ++i) many.push_back({.age = 1000.0 * (1 + (i * 37) % 300), .count = 10});
  const std::vector<AgeGroup> few = {{40 * kDay, 5000}, {kDay, 3}, {kDay, 5}};
  for (const auto& groups : {few, many}) {
    CAPTURE(groups.size());
    FailureTrace trace = FailureTrace::sample(table, groups, key_of(4));
    PlatformHazard hazard{*table, trace};
    for (const std::size_t seen : {0U, 1U, 5U, 16U, 29U, 130U}) {
      CAPTURE(seen);
      REQUIRE(trace.reach(seen));
      const double last = seen > 0 ? trace.failures()[seen - 1].date : 0;
      const double date = 0.5 * (last + trace.failures()[seen].date);
      check_state(hazard, trace, law, seen, date, kDay, 8e-5);
    }
  }
}

TEST_CASE("PlatformHazard: failures of a document, rejuvenation of all, a law with kinks") {
  const Law law = weibull_law_of_mean(0.7, 1e6);
  const auto table = std::make_shared<const TabulatedLaw>(law);
  const AgeGroup groups[] = {{100, 5}, {5000, 5}};
  const FailureEvent events[] = {{10, 3}, {20, 7}, {30, 3}, {90, 7}};
  auto given = FailureTrace::given(groups, events);
  REQUIRE(given.has_value());
  PlatformHazard fixed{*table, *given};
  for (const std::size_t seen : {0U, 1U, 2U, 3U, 4U})
    check_state(fixed, *given, law, seen, 95, 500, 1e-5);

  FailureTrace all = FailureTrace::sample_rejuvenated(table, 1000, 0, key_of(5));
  REQUIRE(all.reach(20));
  PlatformHazard rejuvenated{*table, all};
  check_state(rejuvenated, all, law, 20, all.failures()[19].date + 60, 5000, 1e-5);

  const double breakpoints[] = {0, 1000, 50000};
  const double hazards[] = {1e-5, 1e-6, 2e-7};
  const Law kinked = empirical_law(breakpoints, hazards);
  const auto kinked_table = std::make_shared<const TabulatedLaw>(kinked);
  FailureTrace trace = FailureTrace::sample(kinked_table, 1000, key_of(6));
  REQUIRE(trace.reach(100));
  PlatformHazard hazard{*kinked_table, trace};
  HazardCurve curve;
  const double date = trace.failures()[99].date + 60;
  hazard.fill(100, date, 1e4, curve);
  const Ages ages = trace.ages_at(100, date);
  for (double x = 10; x < 1e4; x *= 2) {
    CHECK(is_near(curve.cumulative(x), platform_cumulative_hazard(kinked, ages, x), 1e-2));
  }
}
