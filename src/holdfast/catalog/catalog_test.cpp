#include "holdfast/catalog/catalog.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace holdfast;

TEST_CASE("catalog: a domain is found by its name, a near miss is suggested") {
  Domain checkpoint, capacity;
  checkpoint.name = "checkpoint";
  capacity.name = "capacity";
  const std::vector<const Domain*> known = {&checkpoint, &capacity};
  CHECK(find_domain("capacity", known).value() == &capacity);
  const auto missing = find_domain("chekpoint", known);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::unknown_name);
  CHECK(missing.error().message == "unknown domain 'chekpoint'; did you mean 'checkpoint'?");
  CHECK(find_domain("x", known).error().message ==
        "unknown domain 'x'; known: checkpoint, capacity");
}

TEST_CASE("catalog: every domain keeps the contract's promises about its tables") {
  std::set<std::string_view> names;
  for (const Domain* domain : domains()) {
    CAPTURE(domain->name);
    CHECK(names.insert(domain->name).second);
    CHECK((domain->open != nullptr));
    CHECK_FALSE(domain->question.empty());
    CHECK_FALSE(domain->metrics.empty());
    std::set<std::string_view> strategies;
    for (const StrategyEntry& entry : domain->strategies) {
      CAPTURE(entry.name);
      CHECK(strategies.insert(entry.name).second);
      CHECK_FALSE(entry.summary.empty());
      CHECK_FALSE(entry.source.empty());
    }
    // They may carry parameters: "e-ie:estimator=restart".
    for (const std::string_view text : {domain->recommended, domain->baseline}) {
      CAPTURE(text);
      CHECK(strategies.contains(text.substr(0, text.find(':'))));
    }
    for (const Verb& verb : domain->verbs) {
      CAPTURE(verb.name);
      CHECK((verb.run != nullptr));
      CHECK(domain->verb(verb.name) == &verb);
    }
  }
}

TEST_CASE("catalog: a workspace holds nothing of a point that is gone") {
  struct Case {
    std::string_view domain;
    const char* field;  // two values of it make two instances
    double one;
    double other;
  };
  const Case cases[] = {{"capacity", "cores", 8, 24},    {"cosched", "tasks", 4, 6},
                        {"taskgraph", "tasks", 20, 30},  {"volatile", "workers", 10, 12},
                        {"moldable", "jobs", 20, 30},    {"io", "applications", 60, 90},
                        {"workflow", "tasks", 200, 300}, {"checkpoint", "processors", 10, 1000}};
  for (const Case& one : cases) {
    CAPTURE(one.domain);
    const Domain& domain = *find_domain(one.domain).value();
    const std::vector<StrategySpec> strategies{
        parse_strategy(domain.recommended, domain.strategies).value()};
    const auto open = [&](double value) {
      Value document = Value::object({{one.field, value}});
      if (one.domain == "checkpoint") {
        document.set("work", 1e6);
        document.set("checkpoint", 600.0);
        document.set("failures", Value::object({{"distribution", "exponential"}, {"mtbf", 1e8}}));
      }
      return domain.open(document, strategies, ".").value();
    };
    const auto metrics = [&](const Point& point, Workspace& workspace) {
      return point.run({.seed = 1}, 0, workspace, false).value().metrics;
    };
    // The allocator gives the second point the place of the first.
    auto first = open(one.one);
    const auto workspace = first->make_workspace();
    const auto before = metrics(*first, *workspace);
    first.reset();
    const auto second = open(one.other);
    const auto found = metrics(*second, *workspace);
    CHECK(found == metrics(*second, *second->make_workspace()));
    CHECK(found != before);
  }
}
