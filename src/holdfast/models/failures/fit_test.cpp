#include "holdfast/models/failures/fit.hpp"

#include "holdfast/kernel/samplers.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

/// Times to relapse (weeks) of 21 patients under 6-mercaptopurine, 12 censored: Freireich et al. 1963, the standard
/// example of the textbooks (Lawless 1982; Cox and Oakes 1984).
std::vector<Lifetime> freireich() {
  std::vector<Lifetime> out;
  for (const double t : {6, 6, 6, 7, 10, 13, 16, 22, 23}) out.push_back(Lifetime::exact(t));
  for (const double t : {6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35}) {
    out.push_back(Lifetime::censored(t));
  }
  return out;
}

double draw(LawFamily family, Stream& stream) {
  switch (family) {
    case LawFamily::exponential:
      return sample_exponential(stream, 1000);
    case LawFamily::weibull:
      return sample_weibull(stream, 0.7, 1000);
    case LawFamily::gamma:
      return sample_gamma(stream, 0.6, 1500);
    case LawFamily::lognormal:
      return sample_lognormal(stream, 6, 1.5);
  }
  return 0;
}

/// Exact, censored, truncated and interval-censored lives mixed.
std::vector<Lifetime> mixed_lives(LawFamily family, int count, std::uint64_t seed,
                                  bool with_intervals = true) {
  Stream stream{{.seed = seed, .purpose = Purpose::tool}};
  std::vector<Lifetime> out;
  while (static_cast<int>(out.size()) < count) {
    const double age = draw(family, stream);
    const double entry = stream.chance(0.3) ? stream.uniform(0, 500) : 0;
    const double end = entry + stream.uniform(0, 3000);
    if (age <= entry) continue;  // it would not be observed
    if (age > end) {
      out.push_back(Lifetime::censored(end, entry));
    } else if (with_intervals && stream.chance(0.2) && entry == 0) {
      const double step = 250 * std::floor(age / 250);
      out.push_back(Lifetime::between(step, step + 250));
    } else {
      out.push_back(Lifetime::exact(age, entry));
    }
  }
  return out;
}

std::string message(LawFamily family, const std::vector<Lifetime>& lives) {
  const auto fit = fit_law(family, lives);
  return fit ? "no error" : fit.error().text();
}

}  // namespace

TEST_CASE("fit_law: the textbook's numbers for the data of Freireich") {
  const auto lives = freireich();
  const auto weibull = fit_law(LawFamily::weibull, lives);
  REQUIRE(weibull);
  // Lawless 1982, section 4.1 (there 1/shape = 0.739, scale = exp(3.519)); R's survreg: log-likelihood -41.66.
  CHECK(weibull->parameter("shape").value == doctest::Approx(1.3537).epsilon(1e-4));
  CHECK(weibull->parameter("scale").value == doctest::Approx(33.765).epsilon(1e-4));
  CHECK(weibull->log_likelihood == doctest::Approx(-41.6587).epsilon(1e-5));

  // Nine failures in 359 weeks; the interval solves 2 n (r - 1 - ln r) = 3.8415, r = estimate / truth, n = 9.
  const auto exponential = fit_law(LawFamily::exponential, lives);
  REQUIRE(exponential);
  CHECK(exponential->mean() == doctest::Approx(359.0 / 9).epsilon(1e-12));
  CHECK(exponential->parameter("mtbf").standard_error == doctest::Approx(359.0 / 27).epsilon(1e-9));
  const ConfidenceInterval interval = exponential->parameter("mtbf").interval;
  for (const double end : {interval.low, interval.high}) {
    const double r = exponential->mean() / end;
    CHECK(18 * (r - 1 - std::log(r)) == doctest::Approx(3.841458820694124).epsilon(1e-7));
  }
  CHECK(exponential->log_likelihood ==
        doctest::Approx(-9 * std::log(359.0 / 9) - 9).epsilon(1e-12));
}

TEST_CASE("fit_law: complete samples have closed forms") {
  const std::vector<double> ages = {3, 10, 25, 40, 77, 120};
  std::vector<Lifetime> lives;
  double sum = 0;
  double log_sum = 0;
  for (const double age : ages) {
    lives.push_back(Lifetime::exact(age));
    sum += age;
    log_sum += std::log(age);
  }
  double squares = 0;
  for (const double age : ages) squares += std::pow(std::log(age) - log_sum / 6, 2);
  const auto lognormal = fit_law(LawFamily::lognormal, lives);
  REQUIRE(lognormal);
  CHECK(lognormal->parameter("log_mean").value == doctest::Approx(log_sum / 6).epsilon(1e-12));
  CHECK(lognormal->parameter("log_sd").value ==
        doctest::Approx(std::sqrt(squares / 6)).epsilon(1e-10));
  const auto gamma = fit_law(LawFamily::gamma, lives);
  REQUIRE(gamma);
  CHECK(gamma->mean() ==
        doctest::Approx(sum / 6).epsilon(1e-10));  // the mean of a gamma fit is the sample's
}

TEST_CASE("fit_law: the fitted law is the one that parameters, mean and likelihood say") {
  for (const LawFamily family : law_families()) {
    CAPTURE(name_of(family));
    const auto lives = mixed_lives(family, 200, 7);
    const auto fit = fit_law(family, lives);
    REQUIRE(fit);
    const Law law = fit->law();
    CHECK(law.name() == name_of(family));
    CHECK(law.mean() == doctest::Approx(fit->mean()).epsilon(1e-9));
    double likelihood = 0;
    for (const Lifetime& life : lives) {
      likelihood += law.cumulative_hazard(life.entry);
      if (life.is_censored()) {
        likelihood -= law.cumulative_hazard(life.low);
      } else if (life.is_exact()) {
        likelihood += std::log(law.density(life.low));
      } else {
        likelihood += std::log(law.survival(life.low) - law.survival(life.high));
      }
    }
    CHECK(fit->log_likelihood == doctest::Approx(likelihood).epsilon(1e-10));
    CHECK(fit->aic == doctest::Approx(2 * free_parameters(family) - 2 * likelihood).epsilon(1e-10));
  }
}

TEST_CASE("log_likelihood: its derivatives are those of its values") {
  for (const LawFamily family : law_families()) {
    const auto sample = LifetimeSample::make(mixed_lives(family, 60, 3));
    REQUIRE(sample);
    for (const LawPoint at : {LawPoint{0.3, -0.4}, LawPoint{-1, 0.2}, LawPoint{2, 0.9}}) {
      const LawPoint here = family == LawFamily::exponential ? LawPoint{at.location, 0} : at;
      CAPTURE(name_of(family));
      CAPTURE(here.location);
      const double h = 1e-4;
      const auto value = [&](double l, double s) {
        return log_likelihood(family, {here.location + l, here.log_shape + s}, *sample);
      };
      const Curved now = value(0, 0);
      CHECK(now.l ==
            doctest::Approx((value(h, 0).value - value(-h, 0).value) / (2 * h)).epsilon(1e-5));
      CHECK(now.ll == doctest::Approx((value(h, 0).l - value(-h, 0).l) / (2 * h)).epsilon(1e-5));
      if (family == LawFamily::exponential) continue;
      CHECK(now.s ==
            doctest::Approx((value(0, h).value - value(0, -h).value) / (2 * h)).epsilon(1e-5));
      CHECK(now.ls == doctest::Approx((value(0, h).l - value(0, -h).l) / (2 * h)).epsilon(1e-5));
      CHECK(now.ss == doctest::Approx((value(0, h).s - value(0, -h).s) / (2 * h)).epsilon(1e-5));
    }
  }
}

TEST_CASE("cumulative_hazard: equals that of the law") {
  for (const LawFamily family : law_families()) {
    const auto fit = fit_law(family, mixed_lives(family, 100, 11));
    REQUIRE(fit);
    for (const double age : {1e-3, 1.0, 500.0, 3e4}) {
      CAPTURE(name_of(family));
      CAPTURE(age);
      CHECK(cumulative_hazard(family, fit->point, std::log(age) - fit->log_unit).value ==
            doctest::Approx(fit->law().cumulative_hazard(age)).epsilon(1e-9));
    }
  }
}

TEST_CASE(
    "fit_law: intervals end where the likelihood has fallen by 1.92, whatever the other parameter "
    "does") {
  for (const LawFamily family : law_families()) {
    CAPTURE(name_of(family));
    const auto lives = mixed_lives(family, 150, 5);
    const auto fit = fit_law(family, lives);
    const auto sample = LifetimeSample::make(lives);
    REQUIRE(fit);
    for (const FittedParameter& parameter : fit->parameters) {
      CAPTURE(parameter.name);
      CHECK(parameter.interval.low < parameter.value);
      CHECK(parameter.value < parameter.interval.high);
      // Twice the standard error is about the half width, on the scale of the parameter, for 150 lives.
      const double width = (parameter.interval.high - parameter.interval.low) / (2 * 1.96);
      CHECK(width == doctest::Approx(parameter.standard_error).epsilon(0.35));
    }
    if (family == LawFamily::exponential) continue;
    // By brute force over the location: the profile of the shape at both ends.
    for (const bool upper : {false, true}) {
      const std::string name = family == LawFamily::lognormal ? "log_sd" : "shape";
      const ConfidenceInterval interval = fit->parameter(name).interval;
      const double end = std::log(upper ? interval.high : interval.low);
      const double log_shape = family == LawFamily::lognormal ? -end : end;
      double best = -1e300;
      for (double location = -4; location < 4; location += 1e-4) {
        best = std::max(best, log_likelihood(family, {location, log_shape}, *sample).value);
      }
      const double highest = log_likelihood(family, fit->point, *sample).value;
      CHECK(highest - best == doctest::Approx(0.5 * 3.841458820694124).epsilon(1e-4));
    }
  }
}

TEST_CASE("fit_law: failures between inspections converge, the widest grids included") {
  const std::vector<std::vector<Lifetime>> sets = {
      {Lifetime::between(1, 10), Lifetime::between(10, 100), Lifetime::between(100, 1000)},
      {Lifetime::between(0, 10), Lifetime::between(10, 100), Lifetime::between(100, 1000),
       Lifetime::censored(50)},
      {Lifetime::between(0, 1e-9), Lifetime::between(1, 2), Lifetime::between(1e9, 2e9)},
      {Lifetime::between(5, 5.0000001), Lifetime::between(7, 7.0000001),
       Lifetime::between(9, 9.0000001)},
  };
  for (const auto& lives : sets) {
    for (const LawFamily family : law_families()) {
      CAPTURE(name_of(family));
      CAPTURE(lives.front().high);
      const auto fit = fit_law(family, lives);
      REQUIRE_MESSAGE(fit, message(family, lives));
      for (const FittedParameter& parameter : fit->parameters)
        CHECK(std::isfinite(parameter.value));
    }
  }
  // A maximum at a Weibull shape of 8000, on the way to which an interval's upper end has a hazard of e^400.
  CHECK(message(LawFamily::weibull, {Lifetime::between(0.70897, 1.06651), Lifetime::exact(0.952581),
                                     Lifetime::censored(0.952706)}) == "no error");
  // Narrow intervals are as good as exact ages: -log(1e-7) each is the only difference of the likelihoods.
  const auto narrow = fit_law(LawFamily::weibull, sets.back());
  const auto exact = fit_law(
      LawFamily::weibull, std::vector{Lifetime::exact(5), Lifetime::exact(7), Lifetime::exact(9)});
  CHECK(narrow->parameter("shape").value ==
        doctest::Approx(exact->parameter("shape").value).epsilon(1e-6));
  CHECK(narrow->log_likelihood - 3 * std::log(1e-7) ==
        doctest::Approx(exact->log_likelihood).epsilon(1e-5));
}

TEST_CASE("fit_law: truncation counts: lives that ended before the entry do not bias the fit") {
  // Exponential lives observed only from age 500 on: they are memoryless, so the mean is that of the rest.
  std::vector<Lifetime> lives;
  for (const double rest : {100.0, 300.0, 900.0, 1700.0})
    lives.push_back(Lifetime::exact(500 + rest, 500));
  CHECK(fit_law(LawFamily::exponential, lives)->mean() == doctest::Approx(750).epsilon(1e-12));
  for (Lifetime& life : lives) life.entry = 0;
  CHECK(fit_law(LawFamily::exponential, lives)->mean() == doctest::Approx(1250).epsilon(1e-12));
}

TEST_CASE("fit_law: another unit of time changes the times and nothing else") {
  CHECK(rc::check([](std::uint8_t seed) {
    for (const LawFamily family : law_families()) {
      auto lives = mixed_lives(family, 40, seed);
      const auto once = fit_law(family, lives);
      for (Lifetime& life : lives) life = {3600 * life.low, 3600 * life.high, 3600 * life.entry};
      const auto scaled = fit_law(family, lives);
      RC_ASSERT(once.has_value() == scaled.has_value());
      if (!once) continue;
      RC_ASSERT(std::abs(scaled->mean() / (3600 * once->mean()) - 1) < 1e-6);
      RC_ASSERT(std::abs(scaled->point.log_shape - once->point.log_shape) < 1e-6);
    }
  }));
}

TEST_CASE(
    "fit_law: the order of the lives does not matter, and twice the lives halve the variance") {
  for (const LawFamily family : law_families()) {
    CAPTURE(name_of(family));
    auto lives = mixed_lives(family, 100, 23);
    const auto once = fit_law(family, lives);
    lives.insert(lives.end(), lives.rbegin(), lives.rend());
    const auto twice = fit_law(family, lives);
    REQUIRE(once);
    REQUIRE(twice);
    for (std::size_t i = 0; i < once->parameters.size(); ++i) {
      CHECK(twice->parameters[i].value == doctest::Approx(once->parameters[i].value).epsilon(1e-7));
      CHECK(twice->parameters[i].standard_error * std::sqrt(2.0) ==
            doctest::Approx(once->parameters[i].standard_error).epsilon(1e-6));
    }
  }
}

TEST_CASE("fit_law: lives that no law can be fitted to are refused, each with its reason") {
  using enum LawFamily;
  const auto exact = [](std::vector<double> ages) {
    std::vector<Lifetime> out;
    for (const double age : ages) out.push_back(Lifetime::exact(age));
    return out;
  };
  CHECK(message(weibull, {}) == "found no lifetime, expected at least one");
  CHECK(message(exponential, {Lifetime::censored(5), Lifetime::censored(7)}) ==
        "found 2 lifetimes, all censored, expected at least one failure");
  CHECK(message(exponential, exact({5})) == "no error");
  for (const LawFamily family : {weibull, gamma, lognormal}) {
    CAPTURE(name_of(family));
    const std::string law = std::string(name_of(family)) + " law";
    CHECK(message(family, {Lifetime::exact(5), Lifetime::censored(7)}) ==
          "found 1 failure among 2 lifetimes, expected at least 2 failures for the " + law);
    CHECK(message(family, exact({7, 7, 7})) ==
          "found 3 failures all at the age of 7 s, expected different ages for the " + law);
    auto with_shorter = exact({7, 7});
    with_shorter.push_back(Lifetime::censored(3));
    CHECK(message(family, with_shorter) ==
          "found 2 failures all at the age of 7 s, expected different ages for the " + law);
    auto with_longer = exact({7, 7});
    with_longer.push_back(Lifetime::censored(8));
    CHECK(message(family, with_longer) == "no error");
    CHECK(message(family, {Lifetime::between(1, 10), Lifetime::between(10, 20)}) ==
          "found 2 failures among 2 lifetimes that no " + law +
              " fits best: the likelihood has no maximum (it grows while the law shrinks to one "
              "age), expected more failures or narrower intervals");
  }
  const double nan = std::nan("");
  CHECK(message(weibull, {Lifetime::exact(1), Lifetime::exact(nan)}) ==
        "/1: found low nan, high nan, entry 0, expected a finite age of 0 or more under low");
  CHECK(message(weibull, exact({-1})) ==
        "/0: found low -1, high -1, entry 0, expected a finite age of 0 or more under low");
  CHECK(message(weibull, {Lifetime::censored(INFINITY)}) ==
        "/0: found low inf, high inf, entry 0, expected a finite age of 0 or more under low");
  CHECK(message(weibull, {Lifetime::between(5, 4)}) ==
        "/0: found low 5, high 4, entry 0, expected high at least as large as low");
  CHECK(message(weibull, {Lifetime::exact(5, 6)}) ==
        "/0: found low 5, high 5, entry 6, expected an entry from 0 to low");
  CHECK(message(weibull, {Lifetime::exact(5, 5)}) ==
        "/0: found low 5, high 5, entry 5, expected a failure after the entry");
  CHECK(message(weibull, exact({0})) ==
        "/0: found low 0, high 0, entry 0, expected a failure at an age above 0 (or in an interval "
        "that starts at 0)");
  CHECK(law_family("weibul").error().message ==
        "found no law 'weibul' that can be fitted, did you mean 'weibull'?");
}

TEST_CASE(
    "compare_laws: the law that made the lives wins, weights sum to 1, refusals are reported") {
  for (const LawFamily family : {LawFamily::weibull, LawFamily::gamma, LawFamily::lognormal}) {
    const auto sample = LifetimeSample::make(mixed_lives(family, 5000, 2));
    const auto table = compare_laws(*sample);
    REQUIRE(table);
    REQUIRE(table->rows.size() == 4);
    CHECK(table->rows.front().fit.family == family);
    double sum = 0;
    for (const LawComparison& row : table->rows) sum += row.weight;
    CHECK(sum == doctest::Approx(1));
    CHECK(table->rows.front().difference == 0);
  }
  const auto one = compare_laws(*LifetimeSample::make(std::vector{Lifetime::exact(5)}));
  REQUIRE(one);
  CHECK(one->rows.size() == 1);
  CHECK(one->refusals.size() == 3);
}

TEST_CASE(
    "fit_law: the survival at an age is between 0 and 1, and so is its interval, at any age") {
  for (const LawFamily family : law_families()) {
    FitOptions options{.quantiles = {0.1, 0.5, 0.9}};
    for (double age = 1e-6; age < 1e12; age *= 7) options.ages.push_back(age);
    const auto fit = fit_law(family, mixed_lives(family, 12, 9), options);
    REQUIRE(fit);
    CHECK(survival_of(*fit, 0) == 1);
    double before = 1;
    for (const FittedSurvival& s : fit->survivals) {
      CAPTURE(name_of(family));
      CAPTURE(s.age);
      CHECK(s.value == survival_of(*fit, s.age));
      CHECK(0 <= s.interval.low);
      CHECK(s.interval.low <= s.value);
      CHECK(s.value <= s.interval.high);
      CHECK(s.interval.high <= 1);
      CHECK(s.value <= before);
      before = s.value;
    }
    for (const FittedQuantile& q : fit->quantiles) {
      CHECK(q.value == doctest::Approx(fit->law().quantile(q.probability)).epsilon(1e-9));
      CHECK(q.interval.low < q.value);
      CHECK(q.value < q.interval.high);
    }
  }
}
