#include "holdfast/models/failures/failure_trace.hpp"

#include "holdfast/models/failures/test_laws.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

constexpr double kOneDay = 86400;
constexpr double kHorizon = 730 * kOneDay;

std::shared_ptr<const TabulatedLaw> tabulated(Law law) {
  return std::make_shared<const TabulatedLaw>(std::move(law));
}

StreamKey key_of(std::uint64_t scenario) {
  return {
      .seed = 11, .purpose = Purpose::failures, .instance = 0, .scenario = scenario, .entity = 0};
}

std::vector<Failure> all_failures(FailureTrace trace, double until) {
  const std::size_t count = trace.index_at(until);
  return {trace.failures().begin(), trace.failures().begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

TEST_CASE("FailureTrace: sorted, and each failure knows the renewal before it") {
  for (const Law& law : campaign_laws()) {
    CAPTURE(law.text());
    const auto failures =
        all_failures(FailureTrace::sample(tabulated(law), 5000, key_of(0), kHorizon), kHorizon);
    REQUIRE(failures.size() > 10);
    std::map<std::uint32_t, std::int32_t> last;
    for (std::size_t i = 0; i < failures.size(); ++i) {
      const Failure& failure = failures[i];
      if (i > 0) REQUIRE(failures[i - 1].date <= failure.date);
      REQUIRE(failure.date < kHorizon);
      REQUIRE(failure.processor < 5000);
      const auto before = last.find(failure.processor);
      REQUIRE(failure.previous == (before == last.end() ? -1 : before->second));
      REQUIRE(failure.renewed ==
              (before == last.end() ? 0 : failures[static_cast<std::size_t>(before->second)].date));
      REQUIRE(failure.renewed < failure.date);
      last[failure.processor] = static_cast<std::int32_t>(i);
    }
  }
}

TEST_CASE("FailureTrace: how far it was drawn before changes nothing") {
  const auto law = tabulated(weibull_law_of_mean(0.5, kTenYears));
  const auto whole = all_failures(FailureTrace::sample(law, 20000, key_of(3), kHorizon), kHorizon);
  FailureTrace steps = FailureTrace::sample(law, 20000, key_of(3), kHorizon);
  CHECK(steps.failures().empty());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    REQUIRE(steps.reach(i));
    REQUIRE(steps.failures()[i] == whole[i]);
  }
  CHECK_FALSE(steps.reach(whole.size()));
  // A nearer horizon takes away what lies beyond it, and nothing else.
  const auto half =
      all_failures(FailureTrace::sample(law, 20000, key_of(3), kHorizon / 2), kHorizon);
  CHECK(half.size() > 100);
  CHECK(std::equal(half.begin(), half.end(), whole.begin()));
  CHECK(whole[half.size()].date >= kHorizon / 2);
  // Another scenario, another trace; the same law and key, the same trace.
  CHECK(all_failures(FailureTrace::sample(law, 20000, key_of(4), kHorizon), kHorizon) != whole);
  CHECK(all_failures(FailureTrace::sample(law, 20000, key_of(3)), kHorizon) == whole);
}

TEST_CASE("FailureTrace: first failures follow the law, and as many as it says") {
  for (const Law& law : campaign_laws(1000 * kOneDay)) {
    CAPTURE(law.text());
    const auto shared = tabulated(law);
    const double horizon = 400 * kOneDay;
    const double reached = 1 - law.survival(horizon);
    std::vector<double> first;
    for (std::uint64_t scenario = 0; scenario < 20; ++scenario) {
      for (const Failure& failure :
           all_failures(FailureTrace::sample(shared, 1000, key_of(scenario), horizon), horizon)) {
        if (failure.previous < 0) first.push_back(failure.date);
      }
    }
    const double expected = 20000 * reached;
    CHECK(std::abs(static_cast<double>(first.size()) - expected) <
          4 * std::sqrt(expected * (1 - reached)));
    CHECK(kolmogorov(first, [&](double x) { return (1 - law.survival(x)) / reached; }) < 1.95);
  }
}

TEST_CASE("FailureTrace: the second lifetime of a processor follows the law, whatever the first") {
  for (const Law& law : campaign_laws(10 * kOneDay)) {
    CAPTURE(law.text());
    const double first_end = 10 * kOneDay;
    const double longest = 20 * kOneDay;  // so that a second lifetime up to it is always seen
    const auto failures =
        all_failures(FailureTrace::sample(tabulated(law), 8000, key_of(1)), first_end + longest);
    std::vector<double> second;
    for (const Failure& failure : failures) {
      if (failure.previous < 0) continue;
      const Failure& first = failures[static_cast<std::size_t>(failure.previous)];
      const double lifetime = failure.date - failure.renewed;
      if (first.previous < 0 && first.date < first_end && lifetime < longest) {
        second.push_back(lifetime);
      }
    }
    REQUIRE(second.size() > 2000);
    const double reached = 1 - law.survival(longest);
    CHECK(kolmogorov(second, [&](double x) { return (1 - law.survival(x)) / reached; }) < 1.95);
  }
}

TEST_CASE("FailureTrace: processors with an age fail as survivors do") {
  const AgeGroup groups[] = {{100 * kOneDay, 4000}, {0, 10}, {3000 * kOneDay, 4000}};
  const double end = 1000 * kOneDay;
  for (const Law& law : campaign_laws(1000 * kOneDay)) {
    CAPTURE(law.text());
    const auto failures =
        all_failures(FailureTrace::sample(tabulated(law), groups, key_of(2)), end);
    const auto hazard_until = [&](double age, double date) {
      return law.cumulative_hazard(age + date) - law.cumulative_hazard(age);
    };
    for (const std::size_t g : {0U, 2U}) {
      const double age = groups[g].age;
      const double most = hazard_until(age, end);
      std::vector<double> hazards;
      for (const Failure& failure : failures) {
        if (failure.previous >= 0 || failure.renewed != -age) continue;
        CHECK((failure.processor < 4000) == (g == 0));
        hazards.push_back(hazard_until(age, failure.date));
      }
      const double expected = -4000 * std::expm1(-most);
      CHECK(std::abs(static_cast<double>(hazards.size()) - expected) < 4 * std::sqrt(expected));
      // Rescaled by the hazard, residual lifetimes are exponential of mean 1, cut at `most`.
      CHECK(kolmogorov(hazards, [&](double y) { return std::expm1(-y) / std::expm1(-most); }) <
            1.95);
    }
  }
}

TEST_CASE("FailureTrace: ages at a date are what a plain count gives") {
  const AgeGroup groups[] = {{5 * kOneDay, 300}, {50 * kOneDay, 200}};
  FailureTrace trace =
      FailureTrace::sample(tabulated(weibull_law_of_mean(0.7, 100 * kOneDay)), groups, key_of(5));
  for (const double date : {0.0, 3 * kOneDay, 40 * kOneDay, 500 * kOneDay}) {
    CAPTURE(date);
    std::vector<double> renewed(500, -5 * kOneDay);
    std::fill(renewed.begin() + 300, renewed.end(), -50 * kOneDay);
    const std::size_t seen = trace.index_at(date);
    for (const Failure& failure : trace.failures().first(seen))
      renewed[failure.processor] = failure.date;
    std::vector<AgeGroup> plain;
    for (const double r : renewed) plain.push_back({.age = date - r, .count = 1});
    const Ages ages = trace.ages_at(date);
    CHECK(ages.groups == make_ages(plain).groups);
    CHECK(ages.processors() == 500);
    if (date < 400 * kOneDay) CHECK(ages.never_failed < ages.groups.size());
  }
  FailureTrace born =
      FailureTrace::sample(tabulated(weibull_law_of_mean(0.7, kTenYears)), 1000, key_of(5));
  const Ages ages = born.ages_at(100 * kOneDay);
  CHECK(ages.groups[ages.never_failed].age == 100 * kOneDay);
  CHECK(ages.processors() == 1000);
}

TEST_CASE("FailureTrace: a million processors cost what their failures cost") {
  FailureTrace trace =
      FailureTrace::sample(tabulated(exponential_law(kTenYears)), 4000000000, key_of(0));
  trace.reach(100);  // one failure every 79 ms
  CHECK(trace.failures().size() < 400);
  CHECK(trace.failures()[100].date == doctest::Approx(100 * kTenYears / 4e9).epsilon(0.5));
}

TEST_CASE("FailureTrace: rejuvenation of all makes failures a renewal process of hazard p H") {
  const Law law = weibull_law_of_mean(0.5, kTenYears);
  FailureTrace trace = FailureTrace::sample_rejuvenated(tabulated(law), 1000, 0, key_of(1));
  CHECK(trace.reach(5000));
  std::vector<double> hazards;
  for (const Failure& failure : trace.failures()) {
    hazards.push_back(1000 * law.cumulative_hazard(failure.date - failure.renewed));
  }
  CHECK(kolmogorov(hazards, [](double y) { return -std::expm1(-y); }) < 1.95);
  const Failure& third = trace.failures()[2];
  CHECK(third.previous == 1);
  CHECK(third.renewed == trace.failures()[1].date);
  CHECK(trace.ages_at(3, third.date + 5).groups == std::vector<AgeGroup>{{5, 1000}});
  FailureTrace old = FailureTrace::sample_rejuvenated(tabulated(law), 1000, 3600, key_of(1));
  CHECK(old.reach(0));
  CHECK(old.failures()[0].renewed == -3600);
}

TEST_CASE("FailureTrace: failures that a document fixes") {
  const AgeGroup groups[] = {{10, 2}, {500, 3}};
  const FailureEvent events[] = {{1, 4}, {2, 0}, {2, 4}, {7.5, 0}};
  auto trace = FailureTrace::given(groups, events);
  REQUIRE(trace.has_value());
  CHECK(trace->reach(3));
  CHECK_FALSE(trace->reach(4));
  const std::vector<Failure> expected = {
      {1, -500, 4, -1}, {2, -10, 0, -1}, {2, 1, 4, 0}, {7.5, 2, 0, 1}};
  CHECK(std::equal(expected.begin(), expected.end(), trace->failures().begin()));
  CHECK(trace->ages_at(8).groups == std::vector<AgeGroup>{{0.5, 1}, {6, 1}, {18, 1}, {508, 2}});
  CHECK(trace->index_at(2) == 1);
}

TEST_CASE("FailureTrace: failures of a document that are refused") {
  struct Row {
    std::vector<FailureEvent> events;
    std::string error;
  };
  const Row rows[] = {
      {{{-1, 0}}, "/0/0: found -1, expected a date of at least 0"},
      {{{NAN, 0}}, "/0/0: found nan, expected a date of at least 0"},
      {{{5, 0}, {4, 1}}, "/1/0: found 4 after 5, expected sorted dates"},
      {{{5, 0}, {100, 1}}, "/1/0: found 100, expected a date before the horizon, 100"},
      {{{5, 2}}, "/0/1: found 2, expected a processor from 0 to 1"},
      {{{5, -1}}, "/0/1: found -1, expected a processor from 0 to 1"},
  };
  const AgeGroup pair{.age = 0, .count = 2};
  for (const Row& row : rows) {
    const auto trace = FailureTrace::given(std::span(&pair, 1), row.events, 100);
    REQUIRE_FALSE(trace.has_value());
    CHECK(trace.error().text() == row.error);
  }
}

TEST_CASE("FailureTrace: the job's mean time between failures tends to mean / p (eq. 5.4)" *
          doctest::test_suite("slow")) {
  for (const Law& law : campaign_laws(kOneDay)) {
    CAPTURE(law.text());
    // The excess over t / mean is (CV^2 - 1) / 2 failures per processor, up to 330 (lognormal 2.51).
    FailureTrace trace = FailureTrace::sample(tabulated(law), 20, key_of(9));
    const double horizon = 1e5 * kOneDay;
    const double count = static_cast<double>(trace.index_at(horizon));
    CHECK(horizon / count == doctest::Approx(kOneDay / 20).epsilon(0.02));
  }
}
