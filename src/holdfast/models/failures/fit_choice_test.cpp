#include "holdfast/models/failures/fit_choice.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

/// Quantiles of a Weibull law of scale 1 d, so no test rejects it.
std::vector<Lifetime> weibull_lives(int count, double shape) {
  std::vector<Lifetime> out;
  for (int i = 0; i < count; ++i)
    out.push_back(Lifetime::exact(86400 * std::pow(-std::log((i + 0.5) / count), 1 / shape)));
  return out;
}

std::vector<Lifetime> rounded(std::vector<Lifetime> lives, double step) {
  for (Lifetime& life : lives) {
    const double age = step * std::round(life.low / step);
    life = age > 0 ? Lifetime::exact(age) : Lifetime::between(0, 0.5 * step);
  }
  return lives;
}

const JudgedLaw& row(const LawChoice& choice, LawFamily family) {
  return *std::ranges::find_if(
      choice.laws, [family](const JudgedLaw& law) { return law.law.fit.family == family; });
}

}  // namespace

TEST_CASE("choose_law: if no unit failed twice, the observed rate is the law") {
  const std::vector<Lifetime> lives = {Lifetime::censored(300), Lifetime::censored(100)};
  const std::vector<Lifetime> ageless = {Lifetime::exact(100), Lifetime::exact(300),
                                         Lifetime::censored(400)};
  const auto choice = choose_law({.lives = lives, .ageless = ageless});
  REQUIRE(choice);
  CHECK(choice->best().family == LawFamily::exponential);
  CHECK(choice->best().mean() == doctest::Approx(600).epsilon(1e-12));  // 1200 s, 2 failures
  CHECK(choice->reason == ChoiceReason::no_age);
  CHECK_FALSE(reason_in_words(*choice).empty());
  const std::vector weibull = {LawFamily::weibull};
  const auto refused = choose_law({.lives = lives, .ageless = ageless}, {}, weibull);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message ==
        "found no unit that failed twice, or whose age is known, expected some for a weibull law: "
        "only the exponential law does without ages");
}

TEST_CASE("choose_law: where the test rejects nothing, AIC decides") {
  const auto lives = weibull_lives(500, 0.5);
  const auto choice = choose_law({.lives = lives});
  REQUIRE(choice);
  CHECK(choice->best().family == LawFamily::weibull);
  CHECK(choice->reason == ChoiceReason::aic);
  CHECK(reason_in_words(*choice).empty());
  CHECK(cautions(*choice).empty());
  CHECK(choice->laws.front().law.difference == 0);
}

TEST_CASE("choose_law: rounded to ten minutes, the same law as before rounding") {
  const auto lives = weibull_lives(2000, 0.5);
  const auto coarse = rounded(lives, 600);
  const auto exact = choose_law({.lives = lives});
  const auto by_interval = choose_law({.lives = coarse, .resolution = 600});
  const auto as_points = fit_law(LawFamily::weibull, coarse);
  REQUIRE(by_interval);
  const double shape = exact->best().parameter("shape").value;
  const double error = std::abs(by_interval->best().parameter("shape").value - shape);
  // Points pile up on multiples of the step; intervals are not affected.
  CHECK(error < 0.002);
  CHECK(error < 0.2 * std::abs(as_points->parameter("shape").value - shape));
  CHECK(by_interval->resolution == 600);
  CHECK(exact->resolution == 0);
  CHECK(rounding_in_words(86400) == "whole days: taken as plus or minus 12 h");
  CHECK(rounding_in_words(600) == "multiples of 10 min: taken as plus or minus 5 min");
}

TEST_CASE(
    "choose_law: a rounded failure on the last day is not drawn after those that survived it") {
  // Early deaths, a few on day 30, and most units alive at day 30.
  std::vector<Lifetime> lives(76, Lifetime::censored(30 * 86400.0));
  for (const auto& [day, count] : {std::pair{1, 6}, {2, 4}, {3, 5}, {4, 6}, {5, 2}, {30, 3}})
    lives.insert(lives.end(), static_cast<std::size_t>(count), Lifetime::exact(86400.0 * day));
  const auto exact = choose_law({.lives = lives});
  REQUIRE(exact);
  CHECK(exact->best().family == LawFamily::lognormal);
  CHECK(std::abs(exact->laws.front().goodness.distance - 0.105) < 5e-4);
  CHECK(std::abs(exact->laws.front().goodness.p_value - 0.039) < 5e-4);
  CHECK(std::abs(row(*exact, LawFamily::exponential).law.difference - 22.5) < 0.05);
  const auto rounded_days = choose_law({.lives = lives, .resolution = 86400});
  CHECK(rounded_days->best().family == LawFamily::lognormal);
  CHECK(std::abs(rounded_days->laws.front().goodness.distance - 0.105) < 0.01);
}

TEST_CASE("choose_law: the oldest life decides nothing, whether it failed or was censored") {
  // Half of the units fail early; the rest is watched for ever shorter times.
  std::vector<Lifetime> lives;
  for (int i = 0; i < 400; ++i) lives.push_back(Lifetime::exact(std::exp(0.02 * i)));
  for (int i = 0; i < 1000; ++i) lives.push_back(Lifetime::censored(100 + 2 * i));
  lives.push_back(Lifetime::censored(5000));
  const auto censored = choose_law({.lives = lives});
  lives.back() = Lifetime::exact(5000);
  const auto failed = choose_law({.lives = lives});
  REQUIRE(censored);
  REQUIRE(failed);
  CHECK(censored->best().family == failed->best().family);
  const double difference =
      censored->laws.front().goodness.distance - failed->laws.front().goodness.distance;
  CHECK(std::abs(difference) < 0.01);
  for (const LawChoice* choice : {&*censored, &*failed})
    CHECK(choice->laws.front().law.difference <= 100);
}

TEST_CASE("choose_law: where all are rejected, the law nearest to the observations") {
  // Half of the lives are of one law, half of another a thousand times as long: no law of two parameters has both.
  auto lives = weibull_lives(3000, 1.5);
  for (int i = 0; i < 3000; i += 2) {
    const auto index = static_cast<std::size_t>(i);
    lives[index] = Lifetime::exact(1000 * lives[index].low);
  }
  const auto choice = choose_law({.lives = lives});
  REQUIRE(choice);
  CHECK(choice->reason == ChoiceReason::curve);
  for (const JudgedLaw& law : choice->laws) {
    CHECK(law.goodness.p_value < 0.05);
    if (law.law.difference > 100) continue;  // no distance outweighs that
    CHECK(law.goodness.distance >= choice->laws.front().goodness.distance);
  }
  const bool is_least = choice->laws.front().law.difference == 0;
  CHECK(reason_in_words(*choice).empty() == is_least);
}

TEST_CASE(
    "choose_law: an observed mean goes before an extrapolated one, where AIC does not decide") {
  // Twelve failures among forty units that were watched for ten days.
  std::vector<Lifetime> lives;
  for (const double hours : {0.5, 1., 2., 4., 9., 15., 30., 50., 80., 120., 180., 230.})
    lives.push_back(Lifetime::exact(3600 * hours));
  for (int i = 0; i < 10; ++i) lives.push_back(Lifetime::censored(3600.0 * 240));
  const auto choice = choose_law({.lives = lives});
  REQUIRE(choice);
  CHECK(choice->longest == 3600.0 * 240);
  for (const JudgedLaw& law : choice->laws) {
    CAPTURE(name_of(law.law.fit.family));
    CHECK(law.is_mean_seen ==
          (law.law.fit.family == LawFamily::exponential || law.law.fit.mean() <= choice->longest));
  }
  // None of the laws with a shape has a mean within ten days, so the least AIC stays, with a warning.
  CHECK(choice->reason == ChoiceReason::aic);
  REQUIRE(cautions(*choice).size() == 1);
  CHECK(cautions(*choice).front().find("is extrapolated: the longest observed time is "
                                       "10 d") != std::string::npos);
}

TEST_CASE("choose_law: where ages are unknown only the rate counts") {
  const auto lives = weibull_lives(40, 0.4);
  std::vector<Lifetime> ageless(1000, Lifetime::censored(30 * 86400.0));
  ageless.push_back(Lifetime::exact(10 * 86400.0));
  const WatchedLives watched{.lives = lives, .ageless = ageless};
  const auto choice = choose_law(watched);
  REQUIRE(choice);
  CHECK(choice->reason == ChoiceReason::rate);
  CHECK(choice->best().family == LawFamily::exponential);
  CHECK(choice->best().mean() == doctest::Approx(observed_rate(watched).mean));
  CHECK(
      reason_in_words(*choice) ==
      "the age is unknown for 99.6 % of the observed time, so a rate that is the same at every age "
      "is used");
  // The others are judged by lives of known age, as always.
  CHECK(row(*choice, LawFamily::weibull).law.fit.parameter("shape").value ==
        doctest::Approx(0.4).epsilon(0.05));
  // If one law of ages is asked for, it is returned, with a caution about what it describes.
  const std::vector families = {LawFamily::weibull};
  const auto asked = choose_law(watched, {}, families);
  CHECK(cautions(*asked).front() ==
        "the weibull law describes only units that have failed before: it leaves out 99.6 % of the "
        "observed time, for which the age is unknown");
}
