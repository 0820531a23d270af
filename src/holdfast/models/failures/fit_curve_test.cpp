#include "holdfast/models/failures/fit_curve.hpp"

#include "holdfast/kernel/samplers.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <vector>

using namespace holdfast;

TEST_CASE("SurvivalCurve: the textbook's table for the data of Freireich") {
  std::vector<Lifetime> lives;
  for (const double t : {6, 6, 6, 7, 10, 13, 16, 22, 23}) lives.push_back(Lifetime::exact(t));
  for (const double t : {6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35})
    lives.push_back(Lifetime::censored(t));
  const SurvivalCurve curve{lives};
  struct Row {
    double age;
    std::int64_t at_risk;
    double survival;
    double standard_error;
  };
  // Kalbfleisch and Prentice 1980; R's survfit(Surv(t, d) ~ 1) prints the same.
  const Row rows[] = {{6, 21, .857, .0764},  {7, 17, .807, .0869},  {10, 15, .753, .0963},
                      {13, 12, .690, .1068}, {16, 11, .627, .1141}, {22, 7, .538, .1282},
                      {23, 6, .448, .1346}};
  REQUIRE(curve.steps().size() == 7);
  for (std::size_t i = 0; i < 7; ++i) {
    const SurvivalStep& step = curve.steps()[i];
    CHECK(step.age == rows[i].age);
    CHECK(step.at_risk == rows[i].at_risk);
    CHECK(std::abs(step.survival - rows[i].survival) < 5e-4);
    CHECK(std::abs(step.survival * std::sqrt(step.survival_variance) - rows[i].standard_error) <
          5e-5);
  }
  // survfit(..., conf.type = "log-log") at 10: 0.503, 0.889.
  CHECK(curve.survival_interval(10).low == doctest::Approx(0.503).epsilon(2e-3));
  CHECK(curve.survival_interval(10).high == doctest::Approx(0.889).epsilon(2e-3));
  CHECK(curve.survival(5.99) == 1);
  CHECK(curve.steps()[1].hazard == doctest::Approx(3.0 / 21 + 1.0 / 17));
  CHECK(curve.last_age() == 35);
}

TEST_CASE("SurvivalCurve: a truncated life is at risk from its entry on") {
  const SurvivalCurve curve{std::vector{Lifetime::exact(2), Lifetime::exact(4),
                                        Lifetime::exact(6, 3), Lifetime::exact(8, 4)}};
  REQUIRE(curve.steps().size() == 4);
  CHECK(curve.steps()[0].at_risk == 2);  // those that came at 3 and 4 are not there yet
  CHECK(curve.steps()[1].at_risk == 2);  // the one that enters at 4 is not at risk at 4
  CHECK(curve.steps()[2].at_risk == 2);
  CHECK(curve.steps()[3].at_risk == 1);
}

TEST_CASE(
    "SurvivalCurve: without censoring it is the share that lives on; intervals never leave [0, "
    "1]") {
  CHECK(rc::check([](const std::vector<std::uint8_t>& ages) {
    std::vector<Lifetime> lives;
    for (const auto age : ages) lives.push_back(Lifetime::exact(age + 1.0));
    const SurvivalCurve curve{lives};
    for (double age = 0; age < 260; age += 3.5) {
      double alive = 0;
      for (const Lifetime& life : lives) alive += life.low > age ? 1 : 0;
      if (!lives.empty())
        RC_ASSERT(std::abs(curve.survival(age) - alive / static_cast<double>(lives.size())) <
                  1e-12);
      const ConfidenceInterval interval = curve.survival_interval(age);
      RC_ASSERT(0 <= interval.low);
      RC_ASSERT(interval.low <= curve.survival(age) + 1e-12);
      RC_ASSERT(curve.survival(age) <= interval.high + 1e-12);
      RC_ASSERT(interval.high <= 1);
    }
  }));
}

TEST_CASE("SurvivalCurve: units that were looked at once make Turnbull's estimate, with its gaps") {
  // Found dead by these days, or alive on those.
  std::vector<Lifetime> lives;
  for (const double day : {454, 474, 476, 490, 614, 650, 654, 667, 680, 703})
    lives.push_back(Lifetime::between(0, day));
  for (const double day : {315, 365, 532, 532, 540, 540, 540, 542, 542, 544, 544})
    lives.push_back(Lifetime::censored(day));
  const SurvivalCurve curve{lives};
  CHECK(curve.name() == "Turnbull");
  CHECK(curve.has_gaps());
  REQUIRE(curve.steps().size() == 2);
  // Of 13 units that were looked at between 454 and 544 days, or alive later, 4 were dead: the pooled share is 9/13.
  CHECK(curve.steps()[0].from == 365);
  CHECK(curve.steps()[0].age == 454);
  CHECK(curve.steps()[0].survival == doctest::Approx(9.0 / 13).epsilon(1e-9));
  CHECK(curve.known_until(0) == 544);
  CHECK(curve.steps()[1].age == 614);
  CHECK(curve.steps()[1].survival == 0);
  // The likelihood of S(454): 4 dead and 9 alive, so at the lower end its drop is that of a binomial share. Above it the curve may
  // fall again right after 454 d: of those 3 found dead by 474 to 490 d and the 9 alive, 9/12 live on.
  const ConfidenceInterval limits = curve.survival_interval(454);
  const double most = 9 * std::log(9.0 / 13) + 4 * std::log(4.0 / 13);
  const double low = 9 * std::log(limits.low) + 4 * std::log(1 - limits.low);
  const double high = 9 * std::log(0.75) + 3 * std::log(0.25) + std::log(1 - limits.high);
  for (const double there : {low, high})
    CHECK(2 * (most - there) == doctest::Approx(3.841458820694124).epsilon(1e-4));
  // Nobody is known to have lived longer than 614 d, but that is far from certain.
  CHECK(curve.survival_interval(614).low == 0);
  CHECK(curve.survival_interval(614).high == doctest::Approx(0.79161).epsilon(1e-4));
}

TEST_CASE("SurvivalCurve: the limits of Turnbull's estimate of truncated lives fall with the age") {
  const SurvivalCurve curve{std::vector{
      Lifetime::between(300, 900, 100), Lifetime::between(400, 700, 200), Lifetime::between(0, 600),
      Lifetime::between(500, 1200, 300), Lifetime::censored(1000, 50), Lifetime::between(800, 1500),
      Lifetime::between(0, 450), Lifetime::between(1100, 1600, 400)}};
  double before = 1;
  for (const SurvivalStep& step : curve.steps()) {
    const ConfidenceInterval limits = curve.survival_interval(step.age);
    CHECK(limits.high <= before + 1e-6);
    before = limits.high;
  }
}

TEST_CASE("SurvivalCurve: intervals that nothing divides are Kaplan-Meier's, with gaps") {
  const SurvivalCurve curve{std::vector{Lifetime::between(0, 10), Lifetime::between(0, 10),
                                        Lifetime::between(10, 20), Lifetime::censored(10),
                                        Lifetime::censored(20), Lifetime::exact(30)}};
  CHECK(curve.name() == "Kaplan-Meier");
  CHECK(curve.has_gaps());
  REQUIRE(curve.steps().size() == 3);
  CHECK(curve.steps()[0].survival == doctest::Approx(4.0 / 6));
  CHECK(curve.steps()[1].from == 10);
  CHECK(curve.steps()[1].survival == doctest::Approx(4.0 / 6 * 2 / 3));
  CHECK(curve.steps()[2].from == 30);
  CHECK(curve.known_until(1) == 30);
}

TEST_CASE(
    "TurnbullEstimate: exact and censored lives give Kaplan-Meier's estimate, truncated ones too") {
  Stream stream{{.seed = 11, .purpose = Purpose::tool}};
  std::vector<Lifetime> lives;
  while (lives.size() < 60) {
    const double age = std::ceil(sample_exponential(stream, 20));
    const double end = std::ceil(sample_exponential(stream, 30));
    const double entry = lives.size() % 3 == 0 && lives.size() > 20 ? 2 : 0;
    if (std::min(age, end) <= entry) continue;
    lives.push_back(age <= end ? Lifetime::exact(age, entry) : Lifetime::censored(end, entry));
  }
  const SurvivalCurve curve{lives};
  const TurnbullEstimate estimate{lives};
  double survival = 1;
  std::size_t step = 0;
  for (const SurvivalDrop& drop : estimate.drops()) {
    if (std::isinf(drop.to)) break;
    survival -= drop.mass;
    REQUIRE(step < curve.steps().size());
    CHECK(drop.to == curve.steps()[step].age);
    CHECK(std::abs(survival - curve.steps()[step].survival) < 1e-6);
    ++step;
  }
  CHECK(step == curve.steps().size());
}
