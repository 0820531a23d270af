#include "holdfast/models/failures/fit_rate.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace holdfast;

TEST_CASE("observed_rate: failures over exposure, with Garwood's interval") {
  // 10 + 20 + (40 - 5) + 15 of known age, 12 + 8 before the first failures: 100 s, 4 failures.
  const std::vector lives = {Lifetime::exact(10), Lifetime::exact(20), Lifetime::censored(40, 5),
                             Lifetime::between(10, 20)};
  const std::vector ageless = {Lifetime::exact(12), Lifetime::censored(8)};
  const ObservedRate rate = observed_rate({.lives = lives, .ageless = ageless});
  CHECK(rate.failures == 4);
  CHECK(rate.exposure == 100);
  CHECK(rate.mean == 25);
  // Tables of exact Poisson limits: 4 events, 1.0899 to 10.2416.
  CHECK(rate.interval.low == doctest::Approx(100 / 10.2416).epsilon(1e-5));
  CHECK(rate.interval.high == doctest::Approx(100 / 1.0899).epsilon(1e-4));
  CHECK(ageless_share({.lives = lives, .ageless = ageless}) == doctest::Approx(0.2));
  CHECK(ageless_share({.lives = lives}) == 0);
}

TEST_CASE("within_resolution: a rounded age is anything within half a step, where that matters") {
  const std::vector lives = {Lifetime::exact(60), Lifetime::exact(20), Lifetime::exact(120, 100),
                             Lifetime::censored(60), Lifetime::exact(6000)};
  CHECK(within_resolution(lives, 60) == std::vector{Lifetime::between(30, 90),
                                                    Lifetime::between(0, 50),
                                                    Lifetime::between(100, 150, 100),
                                                    Lifetime::censored(60), Lifetime::exact(6000)});
  CHECK(within_resolution(lives, 0) == lives);
}

TEST_CASE("see_to_end_of_step: a unit alive at a printed age was at risk for the whole step") {
  std::vector<Lifetime> lives = {Lifetime::exact(60), Lifetime::censored(60),
                                 Lifetime::censored(60 * 1000.0)};
  see_to_end_of_step(lives, 60);
  CHECK(lives ==
        std::vector{Lifetime::exact(60), Lifetime::censored(90), Lifetime::censored(60 * 1000.0)});
}
