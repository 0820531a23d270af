#include "holdfast/kernel/lifetime.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace holdfast;

TEST_CASE("common_step: the clock that the ages were read from") {
  std::vector<Lifetime> lives;
  for (int i = 1; i <= 19; ++i) lives.push_back(Lifetime::exact(300.0 * i));
  CHECK(common_step(lives) == 0);  // too few to tell
  lives.push_back(Lifetime::censored(7.5));
  lives.push_back(Lifetime::exact(900));
  CHECK(common_step(lives) == 300);
  lives.push_back(Lifetime::exact(61));
  CHECK(common_step(lives) == 1);
  lives.push_back(Lifetime::exact(0.5));
  CHECK(common_step(lives) == 0);
}

TEST_CASE("spread_zeros: an age of 0 lies within half a step, or below the least other age") {
  const double day = 86400;
  std::vector<Lifetime> days = {Lifetime::exact(0), Lifetime::exact(5 * day),
                                Lifetime::censored(30 * day)};
  CHECK(spread_zeros(days) == 1);
  CHECK(days.front() == Lifetime::between(0, 0.5 * day));
  CHECK(spread_zeros(days) == 0);
  std::vector<Lifetime> odd = {Lifetime::exact(0), Lifetime::exact(2.5), Lifetime::censored(1.25)};
  CHECK(spread_zeros(odd) == 1);
  CHECK(odd.front() == Lifetime::between(0, 1.25));
  std::vector<Lifetime> given = {Lifetime::exact(0), Lifetime::exact(7200)};
  CHECK(spread_zeros(given, 600) == 1);
  CHECK(given.front() == Lifetime::between(0, 300));
  std::vector<Lifetime> alone = {Lifetime::exact(0)};
  CHECK(spread_zeros(alone) == 0);
  // No other failure has a step: it was before the 10 h of the other life.
  std::vector<Lifetime> first = {Lifetime::exact(0), Lifetime::censored(36000)};
  CHECK(spread_zeros(first) == 1);
  CHECK(first.front() == Lifetime::between(0, 36000));
}
