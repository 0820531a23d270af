#include "holdfast/answers/trace/verbs.hpp"

#include "holdfast/contract/ask.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace holdfast;

namespace {

const Verb& verb(std::string_view name) {
  for (const Verb& one : trace_verbs()) {
    if (one.name == name) return one;
  }
  FAIL("no such verb");
  return trace_verbs().front();
}

constexpr const char* kLog =
    "# observed: 0 to 1000\n# nodes: 3\n# in service: 0\nnode,down,up\n"
    "a,100,150\nb,200,200\na,300,\n";

Result<Answer> ask_trace(std::string_view name, Value options,
                         std::vector<std::string>* details = nullptr) {
  options.set("file", "-");
  Request request;
  request.options = std::move(options);
  request.input = [] { return open_text(kLog); };
  request.voice.detail = [details](std::string_view line) {
    if (details != nullptr) details->emplace_back(line);
  };
  return ask(verb(name), request);
}

}  // namespace

TEST_CASE("trace: each verb describes itself in full") {
  for (const Verb& one : trace_verbs()) {
    CAPTURE(one.name);
    CHECK_FALSE(one.summary.empty());
    CHECK_FALSE(one.example.empty());
    REQUIRE(one.positionals.size() == 1);
    for (const auto options : {one.positionals, one.options}) {
      for (const Parameter& option : options) CHECK_FALSE(option.summary.empty());
    }
  }
}

TEST_CASE("trace: a log is described without a program around it") {
  const auto told = ask_trace("info", Value::object());
  REQUIRE(told);
  const Value& document = told->document;
  CHECK(*document.at("/holdfast/kind")->string() == "trace-info");
  CHECK(*document.find("format")->string() == "failures-csv");
  CHECK(document.find("nodes")->number() == 3);
  CHECK_FALSE(told->tables.empty());
  CHECK_FALSE(told->file);
}

TEST_CASE("trace: a trace is made in parts, with what has no place in its format") {
  std::vector<std::string> details;
  const auto said = ask_trace("convert", Value::object({{"to", "avt"}}), &details);
  REQUIRE(said);
  REQUIRE(said->file);
  REQUIRE(details.size() == 2);
  CHECK(details.front() == "outages of length 0 (1): kept: the node failed");
  std::string text;
  const auto warnings = said->file->write([&text](std::string_view part) -> Status {
    text += part;
    return {};
  });
  REQUIRE(warnings);
  CHECK(text == "a 2 0 100 150 300\nb 1 0 1000\nunnamed-2 1 0 1000\n");
  REQUIRE(warnings->size() == 1);
  CHECK(warnings->front() == "outages of length 0 (1): left out: they take no time");
}

TEST_CASE("trace: a part of a log keeps the file's own format") {
  const auto said = ask_trace("slice", Value::object({{"from", "150"}}));
  REQUIRE(said);
  REQUIRE(said->file);
  CHECK(said->file->format == "failures-csv");
  CHECK(said->notes.empty());
}

TEST_CASE("trace: a fit is an answer with a picture") {
  const auto said = ask_trace("fit", Value::object({{"law", "exponential"}}));
  REQUIRE(said);
  CHECK(*said->document.at("/failures/distribution")->string() == "exponential");
  CHECK(said->chart.lines.size() == 2);  // what was seen, and the law
}

TEST_CASE("trace: an option that is missing, wrong or of no use is named as it is typed") {
  const auto refusal = [](std::string_view name, const Value& options) {
    const auto said = ask_trace(name, options);
    REQUIRE_FALSE(said);
    CHECK(said.error().code == ErrorCode::usage);
    return said.error().where;
  };
  CHECK(refusal("convert", Value::object()) == "--to");
  CHECK(refusal("convert", Value::object({{"to", "swf"}})) == "--to");
  CHECK(refusal("info", Value::object({{"read_as", "lanI"}})) == "--read-as");
  CHECK(refusal("slice", Value::object({{"sample", 0}})) == "--sample");
  CHECK(refusal("fit", Value::object({{"slot", "1h"}})) == "--slot");
  CHECK(refusal("fit", Value::object({{"bootstrap", 1}})) == "--bootstrap");
}
