#include "holdfast/contract/domain.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

using namespace holdfast;

namespace {

using Names = std::vector<std::string_view>;

Domain informed_domain() {
  Domain domain;
  domain.recommended = "plan";
  domain.baseline = "mean";
  domain.informed = {
      .strategy = "rule", .knows = "the weather", .field = "sky", .differs = [](const Value& sky) {
        return *sky.string() == "grey";
      }};
  return domain;
}

// The default strategies where the points have these values of a field.
Names strategies_with(const Domain& domain, std::string_view field,
                      const std::vector<const Value*>& values) {
  return domain.default_strategies([&](std::string_view asked) {
    return asked == field ? values : std::vector<const Value*>();
  });
}

}  // namespace

TEST_CASE("default strategies: the informed baseline where it differs at one point") {
  const Domain domain = informed_domain();
  const Value blue("blue"), grey("grey");
  CHECK(strategies_with(domain, "sky", {}) == Names{"plan", "mean"});
  CHECK(strategies_with(domain, "sky", {&blue}) == Names{"plan", "mean"});
  CHECK(strategies_with(domain, "sky", {&blue, &grey}) == Names{"plan", "rule", "mean"});
}

TEST_CASE("default strategies: one that a field of the instance asks for") {
  Domain domain = informed_domain();
  domain.strategies = {{.name = "plan", .summary = {}, .source = {}},
                       {.name = "umbrella", .summary = {}, .source = {}, .used_with = "rain"}};
  const Value much("much");
  CHECK(strategies_with(domain, "rain", {}) == Names{"plan", "mean"});
  CHECK(strategies_with(domain, "rain", {&much}) == Names{"plan", "umbrella", "mean"});
  CHECK(domain.default_strategy(Value::object()) == "plan");
  CHECK(domain.default_strategy(Value::object({{"rain", "much"}})) == "umbrella");
}

TEST_CASE("default strategies: a domain may have only one") {
  Domain domain;
  domain.recommended = "plan";
  const Value grey("grey");
  CHECK(strategies_with(domain, "sky", {&grey}) == Names{"plan"});
  domain.baseline = "plan";
  CHECK(strategies_with(domain, "sky", {}) == Names{"plan"});
}
