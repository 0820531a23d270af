#include "holdfast/contract/strategy_spec.hpp"

#include "holdfast/contract/own_rule.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace holdfast;

namespace {

constexpr auto kPriorities = std::to_array<std::string_view>({"lpt", "hpa"});
constexpr auto kFixed = std::to_array<Parameter>({
    {.name = "period",
     .summary = "work between checkpoints",
     .unit = Unit::seconds,
     .range = positive()},
});
constexpr auto kCapped = std::to_array<Parameter>({
    {.name = "alpha", .summary = "area factor", .range = at_least(1), .fallback = "2"},
    {.name = "mu", .summary = "share", .range = between(0, 1)},
    {.name = "priority",
     .summary = "order",
     .kind = Kind::choice,
     .fallback = "lpt",
     .choices = kPriorities},
});
constexpr auto kSafe = std::to_array<Parameter>({
    {.name = "delta", .summary = "tasks at once", .range = at_least(1), .is_required = true},
});
constexpr auto kStrategies = std::to_array<StrategyEntry>({
    {.name = "fixed", .summary = "", .source = "", .parameters = kFixed},
    {.name = "capped", .summary = "", .source = "", .parameters = kCapped},
    {.name = "none", .summary = "", .source = ""},
    {.name = "safe", .summary = "", .source = "", .parameters = kSafe},
});

}  // namespace

TEST_CASE(
    "a strategy's specification becomes canonical: given parameters, table order, base units") {
  struct Row {
    std::string_view text, canonical;
  };
  const Row rows[] = {
      {"none", "none"},
      {"fixed:1h", "fixed:period=3600"},
      {"fixed:period=60min", "fixed:period=3600"},
      {"fixed:1h30min", "fixed:period=5400"},
      {"fixed:12:30:00", "fixed:period=45000"},
      {"fixed:1-00:30:00", "fixed:period=88200"},
      {"capped", "capped"},
      {"capped:3", "capped:alpha=3"},
      {"capped:mu=0.25:alpha=2", "capped:alpha=2:mu=0.25"},
      {"capped:priority=hpa", "capped:priority=hpa"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto spec = parse_strategy(row.text, kStrategies);
    REQUIRE(spec);
    CHECK(spec->text == row.canonical);
    CHECK(spec->shown == row.text);
  }
}

TEST_CASE("fallbacks are filled in, and a parameter without one stays absent") {
  const auto spec = parse_strategy("capped", kStrategies).value();
  CHECK(spec.number("alpha") == 2);
  CHECK(spec.choice("priority") == "lpt");
  CHECK_FALSE(spec.has("mu"));
}

TEST_CASE("shared parameters reach the strategies that have them, and yield to the specification") {
  const Value shared = Value::object({{"alpha", 3.0}});
  CHECK(parse_strategy("capped", kStrategies, shared)->text == "capped:alpha=3");
  CHECK(parse_strategy("capped:4", kStrategies, shared)->text == "capped:alpha=4");
  CHECK(parse_strategy("none", kStrategies, shared)->text == "none");
  CHECK(parse_strategy("safe", kStrategies, Value::object({{"delta", 3.0}}))->text ==
        "safe:delta=3");
  CHECK(parse_strategy("capped", kStrategies, shared)->shown == "capped:alpha=3");
  CHECK(parse_strategy("fixed", kStrategies, Value::object({{"period", 5400}}))->shown ==
        "fixed:period=90min");
}

TEST_CASE("a wrong specification is refused with what to do") {
  struct Row {
    std::string_view text, message;
  };
  const Row rows[] = {
      {"fixd", "unknown strategy 'fixd'; did you mean 'fixed'?"},
      {"zzzzzzzz", "unknown strategy 'zzzzzzzz'; known: fixed, capped, none, safe"},
      {"safe", "'safe' needs 'delta' (tasks at once), as in safe:delta=VALUE"},
      {"none:3", "'none' takes no parameter, found '3'"},
      {"capped:2:0.2", "found '0.2' in 'capped', expected name=value"},
      {"capped:alpa=2", "'capped' has no parameter 'alpa'; did you mean 'alpha'?"},
      {"capped:2:alpha=3", "'alpha' is given twice for 'capped'"},
      {"fixed:-1h", "period: found the string \"-1h\", expected a duration greater than 0"},
      {"capped:priority=x", "priority: found 'x', expected one of lpt, hpa"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto spec = parse_strategy(row.text, kStrategies);
    REQUIRE_FALSE(spec);
    CHECK(spec.error().code == ErrorCode::usage);
    CHECK(spec.error().message == row.message);
  }
  CHECK(parse_strategies("fixed:1h,fixed:60min", kStrategies).error().message ==
        "'fixed:period=3600' is named twice");
}

namespace {

OwnRule brought(std::string name, std::int64_t version) {
  return own_rule(
      std::move(name), [](const DecisionInput&, std::vector<double>&) {}, version);
}

}  // namespace

TEST_CASE(
    "a rule that the program brings is named by custom, and its version is part of the text") {
  const std::array<StrategyEntry, 2> table{kStrategies[2], custom_entry()};
  const std::array<OwnRule, 2> rules{brought("mine", 2), brought("other", 0)};
  for (const char* text : {"custom:mine", "custom:name=mine", "custom:version=2:name=mine"}) {
    CAPTURE(text);
    const auto spec = parse_strategy(text, table, Value::object(), rules);
    REQUIRE(spec);
    CHECK(spec->text == "custom:name=mine:version=2");
    CHECK(spec->shown == "mine");
    CHECK(spec->rule == rules[0].maker);
  }
  CHECK(parse_strategy("none", table, Value::object(), rules)->rule == nullptr);
  CHECK(parse_strategies("none,custom:mine,custom:other", table, Value::object(), rules)->size() ==
        3);
}

TEST_CASE("a rule that the program does not bring is refused with what to do") {
  const std::array<StrategyEntry, 2> table{kStrategies[2], custom_entry()};
  const std::array<OwnRule, 3> rules{brought("mine", 2), brought("twice", 1), brought("twice", 1)};
  struct Row {
    std::string_view text;
    std::span<const OwnRule> rules;
    std::string_view message;
  };
  constexpr std::string_view kNone =
      "'custom' takes its decisions from a program that uses the library, and this one brings none "
      "(docs/own-strategies.md)";
  const Row rows[] = {
      {"custom", {}, kNone},
      {"custom:mine", {}, kNone},
      {"custom", rules,
       "'custom' needs 'name' (name of the rule that the program brings), as in custom:name=VALUE"},
      {"custom:mina", rules, "the program brings no rule named 'mina'; did you mean 'mine'?"},
      {"custom:mine:version=1", rules,
       "found version 1 of the rule 'mine', the program brings version 2"},
      {"custom:twice", rules, "the program brings 2 rules named 'twice', expected one"},
      {"zzzzzz", rules, "unknown strategy 'zzzzzz'; known: none"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto spec = parse_strategy(row.text, table, Value::object(), row.rules);
    REQUIRE_FALSE(spec);
    CHECK(spec.error().code == ErrorCode::usage);
    CHECK(spec.error().message == row.message);
  }
}
