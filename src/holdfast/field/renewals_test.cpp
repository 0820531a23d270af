#include "holdfast/field/renewals.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace holdfast;
using namespace holdfast::field;

TEST_CASE("renewals: a failure of an unknown node is one of the group that fails most") {
  // Weibull 0.7: 1000 nodes of age 1000 s fail 1000 / 10 x (1000 / 10)^-0.3 = 25 times as often as ten of age 10 s.
  const std::vector<AgeGroup> groups = {{.age = 1000, .count = 1000}, {.age = 10, .count = 10}};
  Renewals renewals(groups, weibull_law(0.7, 1e6));
  CHECK(renewals.renew(5, std::nullopt) == 999);
  CHECK(renewals.renew(6, std::nullopt) == 998);
  CHECK(renewals.renew(7, 1003) == 1003);
  CHECK(renewals.renew(8, 999) == 999);
  const Ages ages = renewals.at(10);
  CHECK(ages.groups == std::vector<AgeGroup>{{2, 1}, {3, 1}, {4, 1}, {20, 9}, {1010, 998}});
  CHECK(renewals.by_age(0) == 999);
  CHECK(renewals.by_age(1) == 1003);
  CHECK(renewals.by_age(2) == 998);
  // The nine that are left of ten: 1000 to 1009 without 1003, in some order.
  std::int64_t sum = 0;
  for (int i = 3; i < 12; ++i) sum += renewals.by_age(i);
  CHECK(sum == 10 * 1000 + 45 - 1003);
  CHECK(renewals.by_age(12) == 0);
  CHECK(renewals.by_age(1009) == 997);
}
