#include "holdfast/contract/parameter.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

using namespace holdfast;

namespace {

constexpr auto kQueueOrders = std::to_array<std::string_view>({"longest", "shortest"});
constexpr Parameter kWork{
    .name = "work", .summary = "work", .unit = Unit::seconds, .range = positive()};
constexpr Parameter kCount{
    .name = "count", .summary = "how many", .kind = Kind::integer, .range = between(1, 100)};
constexpr Parameter kFlag{.name = "flag", .summary = "whether", .kind = Kind::flag};
constexpr Parameter kOrder{
    .name = "order", .summary = "order", .kind = Kind::choice, .choices = kQueueOrders};
constexpr Parameter kName{.name = "name", .summary = "name", .kind = Kind::text};
constexpr Parameter kLog{.name = "log", .summary = "a log", .kind = Kind::file};
constexpr Parameter kAges{.name = "ages",
                          .summary = "ages",
                          .kind = Kind::numbers,
                          .unit = Unit::seconds,
                          .range = non_negative()};

}  // namespace

TEST_CASE("parameter: a value means what its text on the command line means") {
  struct Row {
    const Parameter& parameter;
    std::string text;
    Value value;
  };
  const Row rows[] = {
      {kWork, "2h", Value(7200)},     {kWork, "0.5", Value(0.5)},
      {kCount, "3", Value(3.0)},      {kFlag, "true", Value(true)},
      {kFlag, "false", Value(false)}, {kAges, "1h,0", Value(Value::Array{Value(3600), Value(0)})},
      {kAges, "1min", Value(60)}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto typed = parse_parameter(row.parameter, row.text, "--option");
    const auto given = read_parameter(row.parameter, row.value, "option");
    REQUIRE(typed);
    REQUIRE(given);
    CHECK(to_compact_json(*typed) == to_compact_json(*given));
  }
  // A text is one of the command line; in a list too.
  for (const Parameter* parameter : {&kName, &kLog}) {
    CHECK(*read_parameter(*parameter, Value("a"), "x") == Value("a"));
  }
  CHECK(*read_parameter(kOrder, Value("shortest"), "order") == Value("shortest"));
  CHECK(*read_parameter(kWork, Value("2h"), "work") == Value(7200.0));
  CHECK(to_compact_json(*read_parameter(kAges, Value(Value::Array{Value("1min"), Value(1)}),
                                        "ages")) == "[60,1]");
}

TEST_CASE("parameter: a value of another kind, or outside its range, is refused at its place") {
  struct Row {
    const Parameter& parameter;
    Value value;
    std::string refusal;
  };
  const Value list(Value::Array{Value(1), Value(-1)});
  const Row rows[] = {
      {kWork, Value(0), "x: found 0, expected a duration greater than 0"},
      {kWork, Value(true), "x: found true, expected a duration greater than 0"},
      {kWork, list, "x: found an array, expected a duration greater than 0"},
      {kWork, Value(), "x: found null, expected a duration greater than 0"},
      {kCount, Value(2.5), "x: found 2.5, expected a whole number from 1 to 100"},
      {kCount, Value(101), "x: found 101, expected a whole number from 1 to 100"},
      {kFlag, Value(1), "x: found 1, expected true or false"},
      {kFlag, Value("yes"), "x: found 'yes', expected true or false"},
      {kOrder, Value(1), "x: found 1, expected one of longest, shortest"},
      {kOrder, Value("fifo"), "x: found 'fifo', expected one of longest, shortest"},
      {kName, Value(7), "x: found 7, expected a text"},
      {kLog, Value(false), "x: found false, expected the path of a file"},
      {kAges, list, "x/1: found -1, expected a duration of at least 0"},
      {kAges, Value(-1), "x: found -1, expected a duration of at least 0"},
      {kAges, Value::object(), "x: found an object, expected a duration of at least 0"}};
  for (const Row& row : rows) {
    const auto read = read_parameter(row.parameter, row.value, "x");
    REQUIRE_FALSE(read);
    CHECK(read.error().text() == row.refusal);
    CHECK(read.error().code == ErrorCode::bad_value);
  }
}
