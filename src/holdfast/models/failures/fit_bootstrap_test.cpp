#include "holdfast/models/failures/fit_bootstrap.hpp"

#include "holdfast/kernel/samplers.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

using namespace holdfast;

namespace {

/// Units of ten lives each; all lives of one unit come from a Weibull law of its own scale.
std::vector<Lifetime> lives_of_units(int units, double spread_of_units) {
  Stream stream{{.seed = 12, .purpose = Purpose::tool}};
  std::vector<Lifetime> out;
  for (int unit = 0; unit < units; ++unit) {
    const double scale = 1000 * sample_lognormal(stream, 0, spread_of_units);
    for (int i = 0; i < 10; ++i) out.push_back(Lifetime::exact(sample_weibull(stream, 0.7, scale)));
  }
  return out;
}

}  // namespace

TEST_CASE("bootstrap: standard errors near those of the likelihood, the same for the same seed") {
  const auto lives = lives_of_units(60, 0);
  for (const LawFamily family : law_families()) {
    CAPTURE(name_of(family));
    const auto fit = fit_law(family, lives);
    const auto once = bootstrap(family, lives, {}, {.replicates = 400});
    const auto again = bootstrap(family, lives, {}, {.replicates = 400});
    REQUIRE(once);
    CHECK(once->replicates == 400);
    REQUIRE(once->parameters.size() == fit->parameters.size());
    for (std::size_t i = 0; i < once->parameters.size(); ++i) {
      CAPTURE(once->parameters[i].name);
      CHECK(once->parameters[i].name == fit->parameters[i].name);
      CHECK(once->parameters[i].interval == again->parameters[i].interval);
      CHECK(once->parameters[i].interval.low < fit->parameters[i].value);
      CHECK(fit->parameters[i].value < once->parameters[i].interval.high);
      if (family == LawFamily::weibull) {  // the true law: both estimate the same error
        CHECK(once->parameters[i].standard_error ==
              doctest::Approx(fit->parameters[i].standard_error).epsilon(0.2));
      }
    }
  }
}

TEST_CASE("bootstrap: units that differ widen the interval when they are drawn whole") {
  const auto lives = lives_of_units(60, 1);
  std::vector<std::size_t> first_of_unit;
  for (std::size_t i = 0; i <= lives.size(); i += 10) first_of_unit.push_back(i);
  const auto by_life = bootstrap(LawFamily::weibull, lives, {}, {.replicates = 300});
  const auto by_unit = bootstrap(LawFamily::weibull, lives, first_of_unit, {.replicates = 300});
  REQUIRE(by_life);
  REQUIRE(by_unit);
  CHECK(by_unit->parameters.back().standard_error >
        1.3 * by_life->parameters.back().standard_error);
}

TEST_CASE("bootstrap: too few failures are refused") {
  std::vector lives(20, Lifetime::censored(1));
  lives.push_back(
      Lifetime::exact(2));  // both of these are drawn in (1 - 1/e)^2 = 40 % of the samples
  lives.push_back(Lifetime::exact(3));
  const auto refused = bootstrap(LawFamily::weibull, lives, {}, {.replicates = 100});
  REQUIRE(!refused);
  CHECK(refused.error().message.ends_with(
      "resampled sets of lifetimes that the weibull law cannot be fitted to, "
      "expected more failures"));
}

TEST_CASE("bootstrap: stops on request") {
  const std::atomic<bool> stop{true};
  const auto stopped =
      bootstrap(LawFamily::weibull, lives_of_units(5, 0), {}, {.stop = Stop(&stop)});
  REQUIRE(!stopped);
  CHECK(stopped.error().code == ErrorCode::interrupted);
  CHECK(stopped.error().message == "stopped after 0 of 1000 resampled sets of lifetimes");
}
