#include "holdfast/domains/checkpoint/domain.hpp"

#include "holdfast/base/value.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace holdfast;

namespace {

std::size_t strategies_for(const std::string& failures) {
  const Value value = parse_json(failures).value();
  return checkpoint::domain()
      .default_strategies([&value](std::string_view field) {
        return field == "failures" ? std::vector<const Value*>{&value}
                                   : std::vector<const Value*>{};
      })
      .size();
}

}  // namespace

TEST_CASE("default strategies: the local rule, unless failures are memoryless") {
  CHECK(strategies_for(R"({"mtbf": "1d"})") == 2);
  CHECK(strategies_for(R"({"platform_mtbf": "1d"})") == 2);
  CHECK(strategies_for(R"({"events": [[1, 0]]})") == 2);
  CHECK(strategies_for(R"({"distribution": "exponential", "mtbf": "1d"})") == 2);
  CHECK(strategies_for(R"({"distribution": "weibull", "mtbf": "1d", "shape": 0.7})") == 3);
  CHECK(strategies_for(R"({"log": "failures.csv"})") == 3);
  CHECK(strategies_for(R"({"log": "failures.csv", "distribution": "exponential"})") == 2);
}
