#include "holdfast/answers/asked/asked_strategies.hpp"

#include "holdfast/campaign/fake_domain.hpp"

#include <doctest/doctest.h>

using namespace holdfast;

TEST_CASE("strategies: the usual baseline is the baseline where it runs, else the last one named") {
  const Domain& domain = fake::domain();
  const auto baseline = [&domain](std::string_view text) {
    return baseline_of(domain, *ask_strategies(domain, text, Value::object()));
  };
  CHECK(baseline("steady,bold") == 0);
  CHECK(baseline("bold,steady") == 1);
  CHECK(baseline("bold,bold:by=3") == 1);
  CHECK_FALSE(baseline("steady"));
}

TEST_CASE("strategies: a bound is nobody's baseline") {
  Domain domain = fake::domain();
  domain.baseline = "none";
  domain.strategies[0].is_bound = true;  // steady
  const auto baseline = [&domain](std::string_view text) {
    return baseline_of(domain, *ask_strategies(domain, text, Value::object()));
  };
  CHECK(baseline("bold,bold:by=3,steady") == 1);
  CHECK_FALSE(baseline("bold,steady"));
}

TEST_CASE(
    "strategies: a parameter for all of them that none has is refused, with those that have it") {
  const Value shared = Value::object({{"by", 2}});
  CHECK(ask_strategies(fake::domain(), "bold,steady", shared));
  const auto refused = ask_strategies(fake::domain(), "steady", shared);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text() ==
        "--by: none of the strategies has this parameter; it belongs to bold");
}

TEST_CASE("strategies: one is asked for, and the recommended one where none is named") {
  const Domain& domain = fake::domain();
  const auto one = ask_strategy(domain, "", Value::object(), Value::object());
  REQUIRE(one);
  CHECK(domain.strategies[one->index].name == domain.recommended);
  const auto several = ask_strategy(domain, "bold,steady", Value::object(), Value::object());
  REQUIRE_FALSE(several);
  CHECK(several.error().where == "--strategy");
}
