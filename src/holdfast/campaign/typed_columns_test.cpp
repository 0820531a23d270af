#include "holdfast/campaign/typed_columns.hpp"

#include "holdfast/base/value.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace holdfast;

namespace {

constexpr std::string_view kFamilies[] = {"10", "20"};
constexpr Parameter kFields[] = {
    {.name = "work", .summary = "work", .unit = Unit::seconds},
    {.name = "mtbf", .summary = "mtbf", .unit = Unit::seconds, .pointer = "/failures/mtbf"},
    {.name = "bandwidth", .summary = "bandwidth", .unit = Unit::bytes_per_second},
    {.name = "family", .summary = "family", .kind = Kind::choice, .choices = kFamilies},
};

Axis axis(const std::string& name, const std::string& values) {
  return {.name = name, .values = *parse_json(values)->array_items()};
}

/// The names of the columns, and below each what the values of a single axis become.
std::string shown(const Axis& one, std::span<const Parameter> fields = {}) {
  const std::vector<TypedColumn> columns = typed_columns(std::vector{one}, fields);
  std::string out;
  for (const TypedColumn& column : columns) {
    out += out.empty() ? column.name : " | " + column.name;
    for (const Value& value : one.values) {
      out += " " + to_compact_json(column.value(std::vector{value}));
    }
  }
  return out;
}

}  // namespace

TEST_CASE("typed columns: durations become seconds, and the name says so") {
  CHECK(shown(axis("platform_age", R"(["0d", "10d", 90])")) == "platform_age_s 0 864000 90");
  CHECK(shown(axis("size", R"(["1kB", "2MB"])")) == "size_B 1000 2000000");
  CHECK(shown(axis("rate", R"(["1GB/s"])")) == "rate_B_per_s 1000000000");
}

TEST_CASE("typed columns: plain numbers are numbers, whatever they were written as") {
  CHECK(shown(axis("shape", R"(["1/5", 0.7, 1])")) == "shape 0.2 0.7 1");
  CHECK(shown(axis("processors", "[1000, 2000]")) == "processors 1000 2000");
}

TEST_CASE("typed columns: the domain says what a number without a unit measures") {
  CHECK(shown(axis("work", "[3600, 7200]")) == "work 3600 7200");
  CHECK(shown(axis("work", "[3600, 7200]"), kFields) == "work_s 3600 7200");
  CHECK(shown(axis("bandwidth", R"([5, "1kB/s"])"), kFields) == "bandwidth_B_per_s 5 1000");
}

TEST_CASE("typed columns: a name that looks like a number stays a text") {
  CHECK(shown(axis("family", R"(["10", "20"])")) == "family 10 20");
  CHECK(shown(axis("family", R"(["10", "20"])"), kFields) == R"(family "10" "20")");
}

TEST_CASE("typed columns: what is not a number at every point stays as it is") {
  CHECK(shown(axis("mean", R"(["observed", 10])")) == R"(mean "observed" 10)");
  CHECK(shown(axis("length", R"(["1s", "1kB"])")) == R"(length "1s" "1kB")");
  CHECK(shown(axis("window", R"([["0d", "7d"]])")) == R"(window "[\"0d\",\"7d\"]")");
  CHECK(shown(axis("check", "[true, false]")) == "check true false");
}

TEST_CASE("typed columns: a member of a table has a column of its own") {
  CHECK(shown(axis("failures", R"([{"distribution": "weibull", "shape": 0.7, "mtbf": "1d"},
                                   {"distribution": "exponential", "mtbf": 60}])"),
              kFields) ==
        R"(failures.distribution "weibull" "exponential" | failures.shape 0.7 null | )"
        "failures.mtbf_s 86400 60");
}

TEST_CASE("typed columns: a list of points has a column for each parameter that it names") {
  CHECK(shown(axis("points", R"([{"processors": 10, "work": "1h"}, {"processors": 20}])"),
              kFields) == "processors 10 20 | work_s 3600 null");
}

TEST_CASE("typed columns: each axis reads its own place") {
  const std::vector<Axis> axes{axis("a", "[1, 2]"), axis("b", R"(["1s", "1min"])")};
  const std::vector<TypedColumn> columns = typed_columns(axes, {});
  REQUIRE(columns.size() == 2);
  const std::vector<Value> point{Value(2), Value("1min")};
  CHECK(columns[0].value(point) == Value(2));
  CHECK(columns[1].value(point) == Value(60.0));
  CHECK(columns[1].parameter == "b");
}
