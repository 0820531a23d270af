// What `holdfast describe --schema` says of documents is true of all that vectors and help texts make.
#include "holdfast/catalog/schema.hpp"

#include "holdfast/answers/reproduction/verification.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/memory_run.hpp"

#include <doctest/doctest.h>

#include "cli/schema_faults.hpp"
#include "cli/workplace.hpp"
#include <array>
#include <sstream>

namespace holdfast::cli {
namespace {

constexpr auto kInner = std::to_array<ResultField>({{"low", "its lower end", Unit::seconds}});
constexpr auto kTried =
    std::to_array<ResultField>({{"time", "when it ends", Unit::seconds},
                                {"names?[]", "what it is called", Holds::text},
                                {"rounds[][]", "numbers", Holds::integer},
                                {"laws?.*", "a law", kInner},
                                {"best?", "the best one, or never", Holds::number_or_text},
                                {"", "more of the document itself", kInner}});

std::vector<std::string> found_in(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string_view line : split(text, '\n')) out.emplace_back(line);
  return out;
}

}  // namespace

TEST_CASE("schema: a path says what is a list, what may be absent, and whose names are open") {
  const Value schema = schema_of(kTried);
  CHECK(*schema.at("/properties/time/type")->string() == "number");
  CHECK(*schema.at("/properties/time/unit")->string() == "s");
  CHECK(*schema.at("/properties/names/type")->string() == "array");
  CHECK(*schema.at("/properties/names/items/type")->string() == "string");
  CHECK(*schema.at("/properties/rounds/items/items/type")->string() == "integer");
  CHECK(*schema.at("/properties/laws/additionalProperties/properties/low/type")->string() ==
        "number");
  CHECK(to_compact_json(*schema.at("/properties/best/type")) == R"(["number","string"])");
  CHECK(to_compact_json(*schema.find("required")) == R"(["time","rounds","low"])");
}

TEST_CASE("schema: every vector's document has the declared members, and no other") {
  Documents documents(domains());
  std::ostringstream nowhere;
  std::istringstream nothing;
  Console console(nowhere, nowhere, nothing);
  const CommandRunner plain = runner_in_memory(domains(), console);
  Verification verification;
  for (const auto& file : vector_files({.share = {}, .source = sources()})) {
    CAPTURE(file.string());
    const CommandRunner run = [&](const StoredCommand& command) {
      CommandEnd end = plain(command);
      CAPTURE(join(command.arguments, " "));
      CAPTURE(command.input);
      if (end.status <= 1) CHECK(join(documents.faults(command.arguments, end.out), "\n") == "");
      return end;
    };
    REQUIRE(verification.add_file(file, run, {}, {}));
  }
  for (const Domain* domain : domains()) {
    CAPTURE(domain->name);
    CHECK(documents.counts().find(std::string(domain->name) + " simulate") != nullptr);
  }
}

TEST_CASE("schema: every verb that has a document declares it, and its example prints it") {
  Documents documents(domains());
  const Value commands = describe_commands(domains());
  for (const auto& [command, schema] : *documents.known().members()) {
    CAPTURE(command);
    CHECK(schema.find("properties")->members()->size() > 2);  // not only what all documents have
    const Workplace workplace;
    const std::string help =
        run_step({.command = "holdfast " + command + " --help"}, domains()).output;
    for (const std::string& line : found_in(help)) {
      const auto at = line.find("holdfast " + command);
      if (at == std::string::npos || line.starts_with("usage")) continue;
      std::string asked = line.substr(at) + " --json";
      asked = replaced(asked, "HOLDFAST", sources().string());
      CAPTURE(asked);
      const Step now = run_step({.command = asked}, domains());
      std::vector<std::string> words = words_of(asked);
      words.erase(words.begin());
      CHECK(join(documents.faults(words, now.output), "\n") == "");
    }
  }
}

}  // namespace holdfast::cli
