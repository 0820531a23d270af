#include "holdfast/base/file.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/machine/domain.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace holdfast;

namespace {

double number_of(const Value& value) {
  return value.is_number() ? value.number() : parse_quantity(*value.string(), Unit::none).value();
}

// What the program would print of one run: metrics of a single scenario, and details.
const Value* found_at(const Outcome& outcome, const std::string& pointer, Value& storage) {
  const std::string prefix = "/results/0";
  const std::string inner = pointer.substr(prefix.size());
  if (!inner.starts_with("/metrics/")) return outcome.details.at(inner);
  const std::string name = inner.substr(9, inner.find('/', 9) - 9);
  const auto& metrics = machine::domain().metrics;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (metrics[i].name != name || !outcome.metrics[i]) continue;
    storage = Value(*outcome.metrics[i]);
    return &storage;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("machine: the exact instances of the specification, and their schedules pass the check") {
  const auto text = read_file("src/holdfast/domains/machine/vectors/exact.json");
  REQUIRE(text);
  const Value document = parse_json(*text).value();
  int count = 0;
  for (const Value& row : *document.find("vectors")->array_items()) {
    const std::string why = *row.find("why")->string();
    CAPTURE(why);
    const auto specs =
        parse_strategies(*row.find("strategy")->string(), machine::domain().strategies).value();
    auto point = machine::domain().open(*row.find("instance"), specs, ".");
    if (!point) FAIL(point.error().text());
    Workspace workspace;
    const Outcome outcome = (*point)->run({}, 0, workspace, true).value();
    for (const auto& [pointer, wanted] : *row.find("expect")->members()) {
      CAPTURE(pointer);
      Value storage;
      const Value* found = found_at(outcome, pointer, storage);
      REQUIRE(found != nullptr);
      const double expected = number_of(*wanted.find("value"));
      CHECK(std::abs(found->number() - expected) <= 1e-12);
    }
    const auto status = (*point)->check({}, 0, outcome);
    REQUIRE(status);
    if (!*status) FAIL_CHECK(status->error().text());
    ++count;
  }
  CHECK(count > 30);
}
