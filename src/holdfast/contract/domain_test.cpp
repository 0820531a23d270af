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

}  // namespace

TEST_CASE("default strategies: the informed baseline where it differs at one point") {
  const Domain domain = informed_domain();
  const Value blue("blue"), grey("grey");
  CHECK(domain.default_strategies({}) == Names{"plan", "mean"});
  CHECK(domain.default_strategies(std::vector<const Value*>{&blue}) == Names{"plan", "mean"});
  CHECK(domain.default_strategies(std::vector<const Value*>{&blue, &grey}) ==
        Names{"plan", "rule", "mean"});
}

TEST_CASE("default strategies: a domain may have only one") {
  Domain domain;
  domain.recommended = "plan";
  const Value grey("grey");
  CHECK(domain.default_strategies(std::vector<const Value*>{&grey}) == Names{"plan"});
  domain.baseline = "plan";
  CHECK(domain.default_strategies({}) == Names{"plan"});
}
