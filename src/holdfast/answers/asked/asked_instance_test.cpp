#include "holdfast/answers/asked/asked_instance.hpp"

#include "holdfast/campaign/fake_domain.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <array>
#include <fstream>
#include <string>

using namespace holdfast;

namespace {

constexpr auto kFields = std::to_array<Parameter>(
    {{.name = "steps", .summary = "how many", .kind = Kind::integer, .range = at_least(1)},
     {.name = "stride", .summary = "of each", .unit = Unit::seconds, .range = positive()},
     {.name = "log",
      .summary = "what failed",
      .kind = Kind::file,
      .pointer = "/failures/log",
      .reads = "failures"}});

// An instance with an argument for each field, of which --steps was given, or none.
AskedInstance asked(const std::string& file, const char* steps = nullptr) {
  AskedInstance out{.domain = &fake::domain(), .file = file};
  for (const Parameter& field : kFields) {
    out.arguments.push_back(
        {.parameter = &field, .place = option_name(field.name), .given = std::nullopt});
  }
  if (steps != nullptr) out.arguments.front().given = Value(steps);
  return out;
}

}  // namespace

TEST_CASE("instance: a document, its header taken off, with what was given beside it") {
  const Scratch scratch;
  const auto file = scratch / "walk.json";
  std::ofstream(file) << R"({"holdfast": {"kind": "walk-instance", "version": 1}, "stride": 2})";
  const auto input = asked(file.string(), "3").read();
  REQUIRE(input);
  CHECK(to_compact_json(input->document) == R"({"stride":2,"steps":3})");
  CHECK(input->directory == file.parent_path());

  AskedInstance piped = asked("-");
  piped.standard_input = [] { return Result<std::string>(R"({"stride": 4})"); };
  piped.input_directory = "elsewhere";
  const auto from_input = piped.read();
  REQUIRE(from_input);
  CHECK(to_compact_json(from_input->document) == R"({"stride":4})");
  CHECK(from_input->directory == "elsewhere");
}

TEST_CASE("instance: a file of recorded data is taken for the option that reads such data") {
  const Scratch scratch;
  const auto log = scratch / "outages.csv";
  std::ofstream(log) << "node,down,up\nn1,0,10\nn2,50,60\n";
  Domain reads = fake::domain();
  reads.fields = kFields;
  AskedInstance given = asked(log.string(), "3");
  given.domain = &reads;
  const auto input = given.read();
  REQUIRE(input);
  CHECK(input->document.at("/failures/log") != nullptr);
  CHECK(input->document.find("steps") != nullptr);
  REQUIRE(input->taken.size() == 1);
  CHECK(input->taken[0].find("was taken as --log") != std::string::npos);
  // An error about it is now one about the option.
  const Error error{ErrorCode::bad_value, "/failures/log", "names no node"};
  CHECK(given.placed(error, input->document).where == "--log");

  AskedInstance both = asked(log.string());
  both.domain = &reads;
  both.arguments.back().given = Value("other.csv");
  const auto twice = both.read();
  REQUIRE_FALSE(twice);
  CHECK(twice.error().where == "--log");

  const auto jobs = scratch / "jobs.swf";
  std::ofstream(jobs) << "; Version: 2.2\n1 0 0 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n";
  AskedInstance other = asked(jobs.string());
  other.domain = &reads;
  const auto refused = other.read();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().where == jobs.string());
  CHECK(refused.error().message.starts_with("found "));
  CHECK(refused.error().message.find(", expected a JSON or TOML document") != std::string::npos);
  CHECK(refused.error().message.find("given with --log") != std::string::npos);
}

TEST_CASE("instance: the header of something else is refused, with the file") {
  const Scratch scratch;
  const auto file = scratch / "other.json";
  std::ofstream(file) << R"({"holdfast": {"kind": "io-instance", "version": 1}})";
  const auto input = asked(file.string()).read();
  REQUIRE_FALSE(input);
  CHECK(input.error().where.find("other.json") != std::string::npos);
}

TEST_CASE("instance: an error is placed at the argument that gave the value, else at the file") {
  const Value document = Value::object({{"steps", 3}, {"stride", 2}});
  const Error error{ErrorCode::bad_value, "/steps", "found 3, expected another"};
  const Error by_argument = asked("walk.json", "3").placed(error, document);
  CHECK(by_argument.where == "--steps");
  CHECK(by_argument.code == ErrorCode::usage);
  const Error by_file = asked("walk.json").placed(error, document);
  CHECK(by_file.where.starts_with("walk.json"));
  CHECK(by_file.code == ErrorCode::bad_value);
  // Without a document only an argument can mend it.
  const AskedInstance nothing = asked("");
  const Error missing =
      nothing.placed({ErrorCode::bad_value, "/stride", "is missing"}, Value::object());
  CHECK(missing.where == "--stride");
  CHECK(missing.code == ErrorCode::usage);
  CHECK(nothing.is_lacking(missing));
  CHECK_FALSE(asked("walk.json").is_lacking(missing));
}

TEST_CASE(
    "instance: a document in memory is merged like a file, and its errors keep their pointers") {
  AskedInstance given = asked("", "3");
  given.in_memory = Value::object(
      {{"holdfast", Value::object({{"kind", "walk-instance"}, {"version", 1}})}, {"stride", 2}});
  const auto input = given.read();
  REQUIRE(input);
  CHECK(to_compact_json(input->document) == R"({"stride":2,"steps":3})");
  const Error wrong{.code = ErrorCode::bad_value, .where = "/stride", .message = "found 2"};
  const Error placed = given.placed(wrong, input->document);
  CHECK(placed.where == "/stride");
  CHECK(placed.code == ErrorCode::bad_value);
  CHECK(given
            .placed({.code = ErrorCode::bad_value, .where = "/steps", .message = "found 3"},
                    input->document)
            .where == "--steps");
  CHECK_FALSE(given.is_lacking(placed));

  given.in_memory =
      Value::object({{"holdfast", Value::object({{"kind", "io-instance"}, {"version", 1}})}});
  CHECK_FALSE(given.read());
}
