#include "holdfast/answers/asked/argument.hpp"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

constexpr auto kRows = std::to_array<Parameter>({
    {.name = "work", .summary = "work", .unit = Unit::seconds, .range = positive()},
    {.name = "mtbf", .summary = "mean life", .unit = Unit::seconds, .pointer = "/failures/mtbf"},
    {.name = "failures", .summary = "all of it", .kind = Kind::text},
    {.name = "log", .summary = "a log", .kind = Kind::file},
    {.name = "fast", .summary = "whether", .kind = Kind::flag},
});

// Arguments for all rows, of which these were given.
std::vector<Argument> arguments(const Value& given) {
  std::vector<Argument> out;
  for (const Parameter& row : kRows) {
    Argument& argument =
        out.emplace_back(Argument{.parameter = &row, .place = option_name(row.name), .given = {}});
    if (const Value* value = given.find(row.name)) argument.given = *value;
  }
  return out;
}

}  // namespace

TEST_CASE("arguments go into a document at their pointers, texts as on the command line") {
  Value document = Value::object({{"work", 5}, {"other", 1}});
  const auto given = arguments(Value::object({{"work", "2h"}, {"mtbf", 60}, {"fast", true}}));
  REQUIRE(merge_into(document, given, false));
  CHECK(to_compact_json(document) ==
        R"({"work":7200,"other":1,"failures":{"mtbf":60},"fast":true})");
  CHECK(to_compact_json(*values_of(given)) == R"({"work":7200,"mtbf":60,"fast":true})");
}

TEST_CASE("arguments: the path of a file starts here, where the document lies elsewhere") {
  for (const bool is_elsewhere : {false, true}) {
    Value document = Value::object();
    REQUIRE(merge_into(document, arguments(Value::object({{"log", "a.csv"}})), is_elsewhere));
    const std::filesystem::path file = *document.find("log")->string();
    CHECK(file.is_absolute() == is_elsewhere);
    CHECK(file.filename() == "a.csv");
  }
}

TEST_CASE("arguments: a message that names fields names the options that write them") {
  CHECK(named_as_given("found both 'work' and 'mtbf', not 'works'", arguments(Value::object())) ==
        "found both --work and --mtbf, not 'works'");
}

TEST_CASE("arguments: what cannot be is refused at its place, as a wrong command line") {
  const auto refused = [](const Value& given, Value document) {
    const auto merged = merge_into(document, arguments(given), false);
    REQUIRE_FALSE(merged);
    return merged.error();
  };
  Error error = refused(Value::object({{"work", 0}}), Value::object());
  CHECK(error.code == ErrorCode::usage);
  CHECK(error.text() == "--work: found 0, expected a duration greater than 0");
  error = refused(Value::object({{"log", "--work"}}), Value::object());
  CHECK(error.text() == "--log: found the option --work, expected a value");
  // The document is wrong here, and not the argument.
  error = refused(Value::object({{"mtbf", 1}}), Value::object({{"failures", 3}}));
  CHECK(error.code == ErrorCode::bad_format);
  CHECK(error.where == "/failures");
}

TEST_CASE("arguments: an error about the document finds the argument that wrote there") {
  const auto given = arguments(Value::object({{"mtbf", 60}, {"failures", "x"}}));
  CHECK(given_at(given, "/failures/mtbf") == "--mtbf");
  CHECK(given_at(given, "/failures/mtbf/0") == "--mtbf");
  CHECK(given_at(given, "/failures/shape") == "--failures");
  CHECK(given_at(given, "/failuresX").empty());
  CHECK(given_at(given, "/work").empty());
  CHECK(writer_of(given, "/work", false) == "--work");
  CHECK(writer_of(given, "/failures/shape", true).empty());
  CHECK(writer_of(arguments(Value::object()), "", true).empty());
  CHECK(is_absent(given, "--work"));
  CHECK_FALSE(is_absent(given, "--mtbf"));
  CHECK_FALSE(is_absent(given, "--unknown"));
}
