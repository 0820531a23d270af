#include "holdfast/domains/checkpoint/advisor/advisor.hpp"
#include "holdfast/domains/checkpoint/levels/pattern.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

// MTBF 9000 s; C1 = 30 s, C = 600 s.
AdvisorSettings on_two_levels(double share) {
  return {.checkpoint = 600,
          .trust = AdvisorSettings::kNever,
          .local = {.checkpoint = 30, .recovery = 30, .share = share}};
}

NodeAges failing_every(double mtbf) {
  return {std::make_shared<const TabulatedLaw>(exponential_law(mtbf)), same_age(1, 0), 0};
}

// Writes what is due, and says of which level it was.
int write_next(Advisor& advisor, double& now) {
  now = advisor.due();
  const int level = advisor.level(now);
  REQUIRE(advisor.checkpoint_begin(now, static_cast<Level>(level)));
  now += level == 1 ? 30 : 600;
  REQUIRE(advisor.checkpoint_end(now, true));
  return level;
}

}  // namespace

TEST_CASE("advisor: local checkpoints between global ones, each by the period of its failures") {
  Advisor advisor(on_two_levels(0.8), failing_every(9000));
  REQUIRE(advisor.ready(0));
  const double global = optimal_period(600, 9000 / 0.2);
  const double local = optimal_period(30, 9000 / 0.8);
  const std::int64_t segments = segments_between(global / local);
  REQUIRE(segments > 5);
  double now = 0;
  for (int patterns = 0; patterns < 3; ++patterns) {
    double work = 0;
    for (std::int64_t i = 0; i < segments; ++i) {
      CAPTURE(i);
      work += advisor.due() - now;
      CHECK(advisor.advice(now).level == (i + 1 == segments ? 2 : 1));
      CHECK(write_next(advisor, now) == (i + 1 == segments ? 2 : 1));
    }
    CHECK(work == doctest::Approx(global).epsilon(2e-3));
  }
}

TEST_CASE("advisor: a failure takes what lies in local checkpoints, or leaves it") {
  Advisor advisor(on_two_levels(0.8), failing_every(9000));
  advisor.ready(0);
  double now = 0;
  const double first = advisor.due();
  REQUIRE(write_next(advisor, now) == 1);
  REQUIRE(write_next(advisor, now) == 1);
  CHECK(advisor.learned(now).saved == doctest::Approx(2 * first).epsilon(1e-6));
  advisor.failure(now, {});
  advisor.ready(now);
  CHECK(advisor.learned(now).saved == doctest::Approx(2 * first).epsilon(1e-6));
  advisor.failure(now, {});
  advisor.lose_local();
  advisor.ready(now);
  CHECK(advisor.learned(now).saved == 0);
  // From here on it is as at the start.
  CHECK(advisor.due() - now == doctest::Approx(first).epsilon(1e-6));
}

TEST_CASE("advisor: what two levels come to where one of them is enough") {
  const auto due_with = [](const AdvisorSettings& settings, int level) {
    Advisor advisor(settings, failing_every(9000));
    advisor.ready(0);
    CHECK(advisor.next_level(0) == level);
    return advisor.due();
  };
  AdvisorSettings one = on_two_levels(0);
  CHECK(due_with(one, 2) ==
        doctest::Approx(due_with({.checkpoint = 600, .trust = one.trust}, 1)).epsilon(1e-6));
  CHECK(due_with(on_two_levels(1), 1) ==
        doctest::Approx(due_with({.checkpoint = 30, .trust = one.trust}, 1)).epsilon(1e-6));
  // Of a job with an end the last one is global.
  one = on_two_levels(1);
  one.work = 100;
  CHECK(due_with(one, 2) == 100);
}

TEST_CASE("advisor: the last checkpoint of an allocation is global") {
  Advisor advisor(on_two_levels(0.8), failing_every(9000));
  advisor.ready(0);
  advisor.time_left(0, 4000);
  CHECK(advisor.next_level(0) == 1);
  CHECK(advisor.stop_date() == 4000 - 2 * 600 - 5);
  CHECK(advisor.level(advisor.stop_date()) == 2);
  advisor.checkpoint_begin(advisor.stop_date(), Level::global);
  advisor.checkpoint_end(3500, true);
  CHECK(advisor.should_stop(3500));
  CHECK(advisor.level(3500) == 0);
}

TEST_CASE("advisor: each level's cost is learned, the global one first where nobody knows it") {
  AdvisorSettings settings = on_two_levels(0.8);
  settings.checkpoint.reset();
  Advisor advisor(settings, failing_every(9000));
  advisor.ready(0);
  CHECK(advisor.due() == 60);
  CHECK(advisor.level(60) == 2);
  advisor.checkpoint_begin(60, Level::global);
  advisor.checkpoint_end(360, true);
  CHECK(advisor.advice(360).checkpoint == 300);
  double now = 360;
  const double before = advisor.due() - now;
  for (int i = 0; i < 5; ++i) {
    now = advisor.due();
    advisor.checkpoint_begin(now, Level::local);
    now += 3;
    advisor.checkpoint_end(now, true);
  }
  CHECK(advisor.due() - now < 0.6 * before);
  CHECK(advisor.advice(now).checkpoint == 300);
  CHECK_FALSE(advisor.checkpoint_durable(now));
}

TEST_CASE("advised: two levels by their two plans are as good as the best pattern") {
  Instance job;
  job.work = 400'000;
  job.checkpoint = job.recovery = 600;
  job.local = {.checkpoint = 30, .recovery = 30, .share = 0.8};
  job.law = exponential_law(9000);
  const auto law = std::make_shared<const TabulatedLaw>(*job.law);
  const auto mean_of = [&](std::string_view text) {
    const StrategySpec spec = parse_strategy(text, strategies()).value();
    double sum = 0;
    constexpr int kRuns = 60;
    for (std::uint64_t scenario = 0; scenario < kRuns; ++scenario) {
      const auto rule = make_strategy(spec, job).value();
      const auto realisation = Realisation::make(job, law, {.scenario = scenario});
      sum += simulate(job, *rule, *realisation, replans(spec)).makespan;
    }
    return sum / kRuns;
  };
  const double pattern = mean_of("two-level");
  CHECK(mean_of("advised:trust=inf") < 1.01 * pattern);
  CHECK(mean_of("adaptive-young-daly:trust=inf") < 1.01 * pattern);
  CHECK(mean_of("next-step") > 1.15 * pattern);
}
