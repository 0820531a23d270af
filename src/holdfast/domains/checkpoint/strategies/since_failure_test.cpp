#include "holdfast/domains/checkpoint/strategies/since_failure.hpp"

#include "holdfast/domains/checkpoint/plan.hpp"
#include "holdfast/domains/checkpoint/testing.hpp"
#include "holdfast/domains/checkpoint/validate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::checkpoint;

namespace {

double ran(const Instance& instance, std::string_view text) {
  REQUIRE(check(instance).has_value());
  const StrategySpec spec = parse_strategy(text, strategies()).value();
  const auto rule = make_strategy(spec, instance).value();
  const auto law = std::make_shared<const TabulatedLaw>(*instance.law);
  const auto realisation = Realisation::make(instance, law, {});
  std::vector<ScheduleRow> rows;
  const Metrics metrics = simulate(instance, *rule, *realisation, replans(spec), &rows);
  const auto failures = strikes_until(metrics.makespan + 1, instance, *realisation);
  const Status valid = validate(instance, replans(spec), failures, rows, metrics);
  REQUIRE(valid.has_value());
  return metrics.makespan;
}

// The same job step by step, by the formula of a period alone.
double by_hand(const Instance& job, const std::function<double(double)>& period) {
  double now = 0, left = job.work, struck = -job.platform_age;
  auto next = job.events->begin();
  const auto end = job.events->end();
  while (left > 0) {
    const double wanted = period(now - struck);
    const double work = left / std::max(1.0, std::ceil(left / wanted));
    if (next == end || next->date >= now + work + job.checkpoint) {
      now += work + job.checkpoint;
      left -= work;
      continue;
    }
    for (bool ready = false; !ready;) {
      struck = next->date;
      const double up = next->date + job.downtime;
      for (++next; next != end && next->date < up; ++next) struck = next->date;
      ready = next == end || next->date >= up + job.recovery;
      if (ready) now = up + job.recovery;
    }
  }
  return now;
}

Instance random_job(Stream& random) {
  Instance out;
  out.work = random.uniform(10, 3000);
  out.checkpoint = random.uniform(0.1, 20);
  out.recovery = random.uniform(0, 20);
  out.downtime = random.uniform(0, 20);
  out.platform_age = random.uniform(0, 5000);
  out.law = weibull_law_of_mean(random.uniform(0.4, 1.5), random.uniform(100, 2000));
  out.events.emplace();
  double date = 0;
  for (std::int64_t i = random.integer(0, 30); i > 0; --i) {
    out.events->push_back({.date = date += random.uniform(0, 200)});
  }
  return out;
}

// Both rules against the step by step run on so many random jobs; every run passes the validator, and none beats the bound.
void compare(std::uint64_t jobs) {
  for (std::uint64_t k = 0; k < jobs; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    const Instance job = random_job(random);
    const double mtbf = job.law->mean();
    const double usual = std::sqrt(2 * job.checkpoint * mtbf);
    const double shape = job.law->description().find("shape")->number();
    const double lazy = ran(job, "lazy");
    REQUIRE(lazy == doctest::Approx(by_hand(job, [&](double since) {
                      return usual * std::pow(std::max(since, usual) / mtbf, 1 - shape);
                    })).epsilon(1e-12));
    const double window = mtbf / 2;
    const double degraded = window / job.law->cumulative_hazard(window);
    const double quiet = std::exp(-window / degraded);
    const double rest = (mtbf - degraded * (1 - quiet)) / quiet;
    const double normal = rest > 0 ? rest : degraded;
    const double twice = ran(job, "bi-periodic");
    REQUIRE(twice == doctest::Approx(by_hand(job, [&](double since) {
                       const double mean = since < window ? degraded : normal;
                       return std::sqrt(2 * job.checkpoint * mean);
                     })).epsilon(1e-12));
    REQUIRE(std::min(lazy, twice) >= ran(job, "clairvoyant") * (1 - 1e-12));
  }
}

}  // namespace

TEST_CASE("since failure: lazy and bi-periodic do what their formulas say") {
  compare(200);
}
TEST_CASE("since failure: ten thousand jobs" * doctest::test_suite("thorough")) {
  compare(10'000);
}

TEST_CASE("since failure: under memoryless failures both are Young and Daly's rule") {
  Instance job;
  job.work = 1e6;
  job.processors = 7;
  job.checkpoint = 60;
  job.recovery = 60;
  job.law = exponential_law(30'000);
  const double usual = testing::makespans(job, "local-young-daly", 20).mean();
  CHECK(testing::makespans(job, "lazy", 20).mean() == doctest::Approx(usual).epsilon(1e-9));
  CHECK(testing::makespans(job, "bi-periodic", 20).mean() == doctest::Approx(usual).epsilon(1e-9));
  CHECK(testing::makespans(job, "lazy:shape=0.6", 20).mean() != doctest::Approx(usual));
}

TEST_CASE("since failure: the two periods have the long-run mean of the law") {
  // Half of the gaps are of 10 min on average, half of 8 h: bursts. In the long run the mean of a law whose rate is 1/d up to T and
  // 1/n beyond is that of the law, whatever d and T are; so knowing d pays.
  Instance job;
  job.work = 40 * 86400;
  job.checkpoint = 300;
  job.recovery = 300;
  job.downtime = 60;
  job.platform_age = 30 * 86400;
  const std::vector<LawPart> parts = {{0.6, 1800}, {0.4, 43'200}};
  job.law = hyperexponential_law(parts);
  const double usual = testing::makespans(job, "young-daly", 100).mean();
  const double twice = testing::makespans(job, "bi-periodic", 100).mean();
  const double best = testing::makespans(job, "next-step", 100).mean();
  CHECK(twice < usual * 0.995);
  CHECK(best < twice);
}

TEST_CASE("since failure: lazy needs a shape, and says so") {
  Instance job;
  job.law = lognormal_law_of_mean(1e6, 2);
  const auto made = make_strategy(parse_strategy("lazy", strategies()).value(), job);
  REQUIRE(!made.has_value());
  CHECK(made.error().message.find("lazy:shape=0.7") != std::string::npos);
  CHECK(make_strategy(parse_strategy("lazy:shape=0.7", strategies()).value(), job).has_value());
}
