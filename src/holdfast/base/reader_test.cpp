#include "holdfast/base/reader.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace holdfast;

namespace {

// What a reader of {work, processors, mode, ages} says about a document.
std::string message_of(std::string_view text) {
  const Value document = parse_json(text).value();
  ObjectReader read(document, "");
  read.seconds("work", positive());
  read.integer_or("processors", 1, at_least(1));
  static constexpr auto kModes = std::to_array<std::string_view>({"fast", "exact"});
  read.choice_or("mode", kModes, 0);
  read.flag_or("verbose", false);
  if (read.has("ages")) read.numbers("ages", Unit::seconds, non_negative());
  const Status status = read.finish();
  return status ? "" : status.error().text();
}

}  // namespace

TEST_CASE("a strict reader says where, what it found and what it expected") {
  struct Row {
    std::string_view text, message;
  };
  const Row rows[] = {
      {R"({"work": 5})", ""},
      {R"({"work": "10min", "processors": "1e6"})", ""},
      {R"([])", "found an array, expected an object"},
      {R"({})", "/work: is missing"},
      {R"({"work": -5})", "/work: found -5, expected a duration greater than 0"},
      {R"({"work": "5 parsecs"})",
       "/work: found '5 parsecs', expected a duration such as 600s, 10min, 48h, 100d or 10y"},
      {R"({"work": true})", "/work: found true, expected a duration greater than 0"},
      {R"({"work": null})", "/work: found null, expected a duration greater than 0"},
      {R"({"work": 1, "processors": 0})",
       "/processors: found 0, expected a whole number of at least 1"},
      {R"({"work": 1, "processors": 2.5})",
       "/processors: found 2.5, expected a whole number of at least 1"},
      {R"({"work": 1, "mode": "exat"})",
       R"(/mode: found the string "exat", expected one of fast, exact)"},
      {R"({"work": 1, "verbose": 1})", "/verbose: found 1, expected true or false"},
      {R"({"work": 1, "ages": [1, -2]})", "/ages/1: found -2, expected a duration of at least 0"},
      {R"({"work": 1, "ages": 3})", "/ages: found 3, expected an array"},
      {R"({"work": 1, "procesors": 3})",
       "/procesors: unknown field 'procesors'; did you mean 'processors'?"},
      {R"({"worc": 1})", "/worc: unknown field 'worc'; did you mean 'work'?"},
      {R"({"procesors": 3})", "/work: is missing"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(message_of(row.text) == row.message);
  }
}

TEST_CASE("the first error is the one that is reported") {
  CHECK(message_of(R"({"work": -1, "processors": 0, "what": 1})") ==
        "/work: found -1, expected a duration greater than 0");
}

TEST_CASE("NaN is in no range") {
  CHECK_FALSE(any_number().contains(std::numeric_limits<double>::quiet_NaN()));
  CHECK_FALSE(positive().contains(0));
  CHECK(non_negative().contains(0));
  CHECK(between(0, 1).contains(1));
}

TEST_CASE("a header of another kind or a newer version is refused") {
  const auto header = [](std::string_view text) {
    const Status status = check_header(parse_json(text).value(), "io-instance");
    return status ? "" : status.error().text();
  };
  CHECK(header("{}") == "");
  CHECK(header(R"({"holdfast": {"kind": "io-instance", "version": 1}})") == "");
  CHECK(header(R"({"holdfast": {"kind": "checkpoint-instance", "version": 1}})") ==
        R"(/holdfast/kind: found "checkpoint-instance", expected "io-instance")");
  CHECK(header(R"({"holdfast": {"kind": "io-instance", "version": 2}})") ==
        "/holdfast/version: found 2, expected 1: this file needs a newer holdfast");
}

TEST_CASE("reader: a required field that a function reads is among the known fields once") {
  const Value document = Value::object({{"domain", "x"}, {"name", "y"}, {"other", 1}});
  ObjectReader read(document, "");
  read.required("domain", [](const Value&, const std::string&) { return Status{}; });
  CHECK(read.text("name") == "y");
  CHECK(read.finish().error().message == "unknown field 'other'; known: domain, name");
}
