#include "holdfast/models/failures/failure_rate.hpp"

#include "holdfast/base/units.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace holdfast;

TEST_CASE("failure rate: as it is published, in seconds between two failures of one node") {
  struct Row {
    std::string_view text;
    double mean;
  };
  constexpr double kADay = 86400;
  const Row rows[] = {
      {"6.5 per 1000 node-days", 1000 * kADay / 6.5},
      {"6.5 failures per 1,000 node days", 1000 * kADay / 6.5},
      {"0.02 per node-year", kYear / 0.02},
      {"2e-4/node-h", 3600 / 2e-4},
      {"1 failure per 10 server-weeks", 70 * kADay},
      {" 3 / 100 Processor-Days ", 100 * kADay / 3},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto mean = read_failure_rate(Value(std::string(row.text)), "/rate");
    REQUIRE(mean);
    CHECK(*mean == doctest::Approx(row.mean).epsilon(1e-12));
  }
  CHECK(*read_failure_rate(Value(1e-6), "/rate") == doctest::Approx(1e6));
}

TEST_CASE("failure rate: what is no rate of a node is refused, with what to give") {
  const auto says = [](const Value& value) {
    const auto mean = read_failure_rate(value, "/rate");
    REQUIRE(!mean);
    return mean.error().text();
  };
  CHECK(says(Value("6.5 per 1000 GPU-days")) ==
        "/rate: found '6.5 per 1000 GPU-days', expected failures per time of a node: GPUs of a "
        "node fail with it. "
        "With 8 of them in each, 1 per 1000 GPU-days is 8 per 1000 node-days");
  for (const std::string_view text :
       {"6.5", "per 1000 node-days", "6.5 per day", "6.5 per 1000 node-moons", "6.5 per node",
        "0/node-day", "-1/node-day", "1e-320/node-day", "1 per 0 node-days", ""}) {
    CAPTURE(text);
    CHECK(says(Value(std::string(text))).starts_with("/rate: found '"));
  }
  CHECK(says(Value(true)).starts_with("/rate: found "));
}

TEST_CASE("annual failure rate: a percentage or a fraction") {
  const auto mean = [](const Value& value) { return read_annual_rate(value, "/afr"); };
  CHECK(*mean(Value("5%")) == doctest::Approx(kYear / 0.05).epsilon(1e-12));
  CHECK(*mean(Value(" 150 %")) == doctest::Approx(kYear / 1.5).epsilon(1e-12));
  CHECK(*mean(Value("0.05")) == doctest::Approx(kYear / 0.05).epsilon(1e-12));
  CHECK(*mean(Value(0.05)) == doctest::Approx(kYear / 0.05).epsilon(1e-12));
  for (const Value& value : {Value("5"), Value(5.0), Value("0%"), Value("-5%"), Value("%"),
                             Value("five"), Value(true)}) {
    CHECK(!mean(value));
  }
}
