// The catalog as a document is complete: what help texts and tables list stands there, with a summary each.
#include "holdfast/catalog/describe.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/program.hpp"

#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

std::string printed(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  std::istringstream in;
  cli::Console console(out, err, in);
  CAPTURE(err.str());
  CHECK(cli::run_program(arguments, console, domains()) == 0);
  return out.str();
}

std::vector<Value> items(const Value& object, std::string_view member) {
  const Value* list = object.find(member);
  return list == nullptr ? std::vector<Value>() : *list->array_items();
}

std::string text(const Value& object, std::string_view member) {
  const Value* found = object.find(member);
  return found == nullptr || found->string() == nullptr ? std::string() : *found->string();
}

std::set<std::string> names(const std::vector<Value>& list) {
  std::set<std::string> out;
  for (const Value& item : list) out.insert(text(item, "name"));
  return out;
}

/// "--work" and the like, as a help text lists them: at the start of a line, perhaps after a short form.
std::set<std::string> options_in(const std::string& help) {
  std::set<std::string> out;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const auto start = line.find("--");
    if (start == std::string::npos ||
        line.substr(0, start).find_first_not_of(" -,h") != std::string::npos) {
      continue;
    }
    const auto end = line.find_first_of(" ,=", start);
    out.insert(line.substr(start, end == std::string::npos ? end : end - start));
  }
  return out;
}

/// Every command below this one, with the words that call it.
void walk(const Value& command, std::vector<std::string> words) {
  words.push_back(text(command, "name"));
  const std::string where = join(words, " ");
  CAPTURE(where);
  CHECK_FALSE(text(command, "summary").empty());
  for (const Value& option : items(command, "options")) {
    CAPTURE(text(option, "name"));
    CHECK_FALSE(text(option, "summary").empty());
  }
  std::vector<std::string> asked = words;
  asked.emplace_back("--help");
  const auto known = names(items(command, "options"));
  for (const std::string& option : options_in(printed(asked))) {
    CAPTURE(option);
    CHECK(known.contains(option));
  }
  for (const Value& verb : items(command, "verbs")) walk(verb, words);
}

}  // namespace

TEST_CASE("describe: every command and option of every help text is there, with a summary") {
  const Value commands = cli::describe_commands(domains());
  for (const Value& command : *commands.array_items()) walk(command, {});
  const auto found = names(*commands.array_items());
  for (const Domain* domain : domains()) CHECK(found.contains(std::string(domain->name)));
  for (const char* name : {"run", "report", "reproduce", "trace", "verify", "describe"}) {
    CHECK(found.contains(name));
  }
}

TEST_CASE("describe: every row of every table of a domain is there, with a summary") {
  const Value document = parse_json(printed({"describe", "--json"})).value();
  CHECK(*document.at("/holdfast/kind")->string() == "catalog");
  const auto described = items(document, "domains");
  REQUIRE(described.size() == domains().size());
  for (std::size_t i = 0; i < described.size(); ++i) {
    const Domain& domain = *domains()[i];
    CAPTURE(domain.name);
    const auto has_all = [&](std::string_view member, const auto& rows) {
      CAPTURE(member);
      const auto listed = items(described[i], member);
      CHECK(listed.size() == rows.size());
      for (const Value& row : listed) {
        CAPTURE(text(row, "name"));
        CHECK_FALSE(text(row, "summary").empty());
        for (const char* inner : {"parameters", "options", "positionals"}) {
          for (const Value& parameter : items(row, inner)) {
            CAPTURE(text(parameter, "name"));
            CHECK_FALSE(text(parameter, "summary").empty());
            CHECK_FALSE(text(parameter, "kind").empty());
          }
        }
      }
      for (const auto& row : rows) CHECK(names(listed).contains(std::string(row.name)));
    };
    auto named = domain.strategies;
    std::erase_if(named, [](const StrategyEntry& entry) { return entry.takes_rule; });
    has_all("strategies", named);
    if (const Value* decision = described[i].find("decision")) {
      CHECK(named.size() + 1 == domain.strategies.size());
      for (const char* member : {"told", "asked", "curves"}) {
        for (const Value& row : items(*decision, member)) CHECK_FALSE(text(row, "summary").empty());
      }
      CHECK_FALSE(items(*decision, "asked").empty());
    } else {
      CHECK(named.size() == domain.strategies.size());
    }
    has_all("metrics", domain.metrics);
    has_all("fields", domain.fields);
    has_all("verbs", domain.verbs);
  }
  for (const char* member : {"laws", "formats", "executors"}) {
    CAPTURE(member);
    const auto rows = items(document, member);
    CHECK_FALSE(rows.empty());
    for (const Value& row : rows) CHECK_FALSE(text(row, "summary").empty());
  }
  CHECK(items(document, "speedups").size() >= 4);
}

TEST_CASE("describe: people get lists, and a domain that nobody knows is suggested") {
  CHECK(printed({"describe"}).find("checkpoint") != std::string::npos);
  const std::string one = printed({"describe", "checkpoint"});
  CHECK(one.find("next-step") != std::string::npos);
  CHECK(one.find("makespan") != std::string::npos);
  std::ostringstream out, err;
  std::istringstream in;
  cli::Console console(out, err, in);
  CHECK(cli::run_program(std::vector<std::string>{"describe", "chekpoint"}, console, domains()) ==
        2);
  CHECK(err.str().find("did you mean 'checkpoint'?") != std::string::npos);
}
