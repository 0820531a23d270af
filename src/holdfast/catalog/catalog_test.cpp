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
