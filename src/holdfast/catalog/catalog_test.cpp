#include "holdfast/catalog/catalog.hpp"

#include "holdfast/catalog/least_document_testing.hpp"
#include "holdfast/contract/ask.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace holdfast;
using holdfast::testing::least_document;

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
    if (const InformedBaseline& informed = domain->informed; !informed.strategy.empty()) {
      CHECK(strategies.contains(informed.strategy));
      CHECK_FALSE(informed.knows.empty());
      CHECK_FALSE(informed.field.empty());
      CHECK_FALSE(informed.differs(Value("nonsense")));
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
  const Case cases[] = {{"capacity", "cores", 8, 24},       {"cosched", "tasks", 4, 6},
                        {"taskgraph", "tasks", 20, 30},     {"volatile", "workers", 10, 12},
                        {"moldable", "processors", 20, 30}, {"io", "applications", 60, 90},
                        {"workflow", "tasks", 200, 300},    {"checkpoint", "processors", 10, 1000},
                        {"machine", "nodes", 8, 12}};
  for (const Case& one : cases) {
    CAPTURE(one.domain);
    const Domain& domain = *find_domain(one.domain).value();
    const std::vector<StrategySpec> strategies{
        parse_strategy(domain.recommended, domain.strategies).value()};
    const auto open = [&](double value) {
      Value document = least_document(domain);
      document.set(one.field, value);
      return open_point(domain, document, strategies, ".").value();
    };
    const auto metrics = [&](const Point& point, Workspace& workspace) {
      return point.run({.seed = 1}, 0, workspace, false).value().metrics;
    };
    // The allocator gives the second point the place of the first.
    auto first = open(one.one);
    Workspace workspace;
    const auto before = metrics(*first, workspace);
    first.reset();
    const auto second = open(one.other);
    const auto found = metrics(*second, workspace);
    Workspace fresh;
    CHECK(found == metrics(*second, fresh));
    CHECK(found != before);
  }
}

TEST_CASE("catalog: what ran before on a workspace does not affect a run") {
  std::vector<Draw> draws;
  for (const std::uint64_t seed : {1U, 2U}) {
    for (const std::uint64_t instance : {0U, 1U}) {
      for (const std::uint64_t scenario : {0U, 1U}) draws.push_back({seed, instance, scenario});
    }
  }
  // And once more so that neighbours share the scenario, not the instance.
  std::vector<Draw> by_scenario = draws;
  std::stable_sort(by_scenario.begin(), by_scenario.end(),
                   [](const Draw& a, const Draw& b) { return a.scenario < b.scenario; });
  draws.insert(draws.end(), by_scenario.begin(), by_scenario.end());
  for (const Domain* domain : domains()) {
    CAPTURE(domain->name);
    const std::vector<StrategySpec> strategies{
        parse_strategy(domain->recommended, domain->strategies).value()};
    const auto check = [&](const Value& document) {
      const auto opened = open_point(*domain, document, strategies, ".");
      REQUIRE(opened);
      const Point& point = **opened;
      Workspace shared;
      for (const Draw& draw : draws) {
        CAPTURE(draw.seed);
        CAPTURE(draw.instance);
        CAPTURE(draw.scenario);
        Workspace fresh;
        CHECK(point.run(draw, 0, shared, false).value().metrics ==
              point.run(draw, 0, fresh, false).value().metrics);
      }
    };
    const Value drawn = least_document(*domain);
    check(drawn);
    Request request;
    request.parameters = drawn;
    check(ask(*domain, *domain->verb("generate"), request).value().document);
  }
}

TEST_CASE(
    "catalog: a strategy that is named without parameters runs, or is refused with the reason") {
  for (const Domain* domain : domains()) {
    CAPTURE(domain->name);
    const Value document = least_document(*domain);
    for (const StrategyEntry& entry : domain->strategies) {
      CAPTURE(entry.name);
      const auto spec = parse_strategy(entry.name, domain->strategies);
      const bool lacks = std::ranges::any_of(entry.parameters, &Parameter::is_required);
      CHECK(spec.has_value() != lacks);
      if (!spec) continue;
      // `as-given` needs a document that gives something.
      const std::vector<StrategySpec> strategies{*spec};
      const auto opened = open_point(*domain, document, strategies, ".");
      if (!opened) CHECK_FALSE(opened.error().message.empty());
    }
  }
}

TEST_CASE(
    "catalog: every domain says which problem it was asked about, and the seed that drew it") {
  for (const Domain* domain : domains()) {
    CAPTURE(domain->name);
    const std::vector<StrategySpec> strategies{
        parse_strategy(domain->recommended, domain->strategies).value()};
    const auto headline_of = [&](const Value& document, std::uint64_t seed) {
      const auto opened = open_point(*domain, document, strategies, ".");
      REQUIRE(opened);
      return (*opened)->headline(seed);
    };
    const Value drawn = least_document(*domain);
    CHECK_FALSE(headline_of(drawn, 7).empty());
    if (domain->name != "checkpoint") {  // its job is always given
      CHECK(headline_of(drawn, 7).find("seed 7") != std::string::npos);
    }
    Request request;
    request.parameters = drawn;
    const Value fixed = ask(*domain, *domain->verb("generate"), request).value().document;
    CHECK_FALSE(headline_of(fixed, 7).empty());
    CHECK(headline_of(fixed, 7).find('\n') == std::string::npos);
  }
}
