#include "holdfast/contract/ask.hpp"

#include "holdfast/base/value.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace holdfast;

namespace {

Value json(std::string_view text) {
  return parse_json(text).value();
}

// Answers with the instance that it was given.
Result<Answer> echo(const Request& request) {
  Answer answer;
  answer.document = request.parameters;
  return answer;
}

const Verb kGenerate{
    .name = "generate", .summary = "", .example = "", .gives = Gives::instance, .run = echo};
const Verb kPlan{.name = "plan", .summary = "", .example = "", .run = echo};

Domain domain() {
  Domain out;
  out.name = "toy";
  return out;
}

Result<Answer> ask_for(const Verb& verb, std::string_view document) {
  Request request;
  request.parameters = json(document);
  return ask(domain(), verb, request);
}

}  // namespace

TEST_CASE("ask: a domain never sees a document's header") {
  constexpr std::string_view kDocument =
      R"({"holdfast":{"kind":"toy-instance","version":1},"work":3})";
  CHECK(to_compact_json(ask_for(kPlan, kDocument)->document) == R"({"work":3})");
  CHECK(to_compact_json(ask_for(kPlan, R"({"work":3})")->document) == R"({"work":3})");
  Value document = json(kDocument);
  CHECK(take_off_header(domain(), document).has_value());
  CHECK(to_compact_json(document) == R"({"work":3})");
}

TEST_CASE("ask: an instance that a verb writes has the header, as its first member") {
  CHECK(to_compact_json(ask_for(kGenerate, R"({"work":3})")->document) ==
        R"({"holdfast":{"kind":"toy-instance","version":1},"work":3})");
}

TEST_CASE("ask: a verb that writes an instance in another format has no document, and no header") {
  const Verb other{.name = "generate",
                   .summary = "",
                   .example = "",
                   .gives = Gives::instance,
                   .run = [](const Request&) -> Result<Answer> {
                     Answer answer;
                     answer.document = Value();
                     answer.lines = {"another format"};
                     return answer;
                   }};
  const auto answer = ask_for(other, R"({"work":3})");
  REQUIRE(answer);
  CHECK(answer->lines == std::vector<std::string>{"another format"});
  CHECK(answer->document.is_null());
}

TEST_CASE("ask: a verb that takes a strategy is not run without one") {
  Domain toy = domain();
  toy.recommended = "next-step";
  Verb verb = kPlan;
  verb.takes_strategy = true;
  Request request;
  const auto refused = ask(toy, verb, request);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::bad_value);
  CHECK(refused.error().where == "/strategy");
  CHECK(refused.error().message == "is missing; toy plan takes one, such as 'next-step'");
  request.strategy = StrategySpec{};
  CHECK(ask(toy, verb, request).has_value());
}

TEST_CASE("ask: the header of another document is refused") {
  const auto refused = ask_for(kPlan, R"({"holdfast":{"kind":"io-instance","version":1}})");
  REQUIRE(!refused);
  CHECK(refused.error().where == "/holdfast/kind");
  CHECK(refused.error().message == "found \"io-instance\", expected \"toy-instance\"");
}
