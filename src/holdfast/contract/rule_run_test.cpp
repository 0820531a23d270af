#include "holdfast/contract/rule_run.hpp"

#include "holdfast/contract/own_rule.hpp"

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <limits>
#include <stdexcept>

using namespace holdfast;

namespace {

constexpr auto kTold = std::to_array<DecisionField>({
    {.name = "now", .summary = "", .per_item = false},
    {.name = "weight", .summary = ""},
    {.name = "left", .summary = "", .per_item = false},
    {.name = "age", .summary = ""},
});
constexpr auto kAsked = std::to_array<DecisionField>({{.name = "rates", .summary = ""}});
constexpr auto kCurves = std::to_array<DecisionField>({{.name = "time", .summary = ""}});
constexpr DecisionTable kTable{.name = "share", .told = kTold, .asked = kAsked, .curves = kCurves};
constexpr DecisionTable kList{.name = "segments", .asked = kAsked, .is_list = true};

using Rates = std::vector<double>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

StrategySpec spec_of(const OwnRule& rule) {
  const std::array<StrategyEntry, 1> table{custom_entry()};
  return parse_strategy("custom:" + rule.name, table, Value::object(), {&rule, 1}).value();
}

// Two items of weights 1 and 3.
bool ask(RuleRun& run) {
  constexpr std::array<double, 2> once{10, 90}, weight{1, 3}, age{5, 6};
  const std::array<std::span<const double>, 2> columns{weight, age};
  return run.ask({.items = 2,
                  .scalars = once,
                  .columns = columns,
                  .evaluate = [](std::size_t, std::span<const std::uint32_t> item,
                                 std::span<const double> x, std::span<double> y) {
                    for (std::size_t i = 0; i < x.size(); ++i) y[i] = item[i] + 100 / x[i];
                  }});
}

}  // namespace

TEST_CASE("a rule gets its inputs by name and answers one number per item") {
  const OwnRule rule = own_rule("mine", [](const DecisionInput& told, Rates& rates) {
    rates[0] = told["weight"][0] + told["age"][1];
    rates[1] = told.once("left") - told.once("now") + told.curve("time", 50, 1);
  });
  RuleRun run(spec_of(rule), kTable);
  REQUIRE(ask(run));
  CHECK(run.answer()[0] == 7);
  CHECK(run.answer()[1] == 83);
  CHECK(run.status());
}

TEST_CASE("a rule remembers what it stores only within one run") {
  const OwnRule rule = own_rule("mine", [calls = 0](const DecisionInput&, Rates& rates) mutable {
    rates = {0, static_cast<double>(++calls)};
  });
  const StrategySpec spec = spec_of(rule);
  RuleRun first(spec, kTable);
  RuleRun second(spec, kTable);
  for (const double calls : {1.0, 2.0, 3.0}) {
    REQUIRE(ask(first));
    CHECK(first.answer()[1] == calls);
  }
  REQUIRE(ask(second));
  CHECK(second.answer()[1] == 1);
}

TEST_CASE("a wrong answer is refused with the rule, the decision and the place") {
  struct Row {
    const char* why;
    std::function<void(Rates&)> answer;
    const char* error;
  };
  const Row rows[] = {
      {"nothing", [](Rates&) {},
       "strategy 'mine', decision 0: rates[0]: found nan, expected a finite number"},
      {"half of it", [](Rates& rates) { rates[0] = 1; },
       "strategy 'mine', decision 0: rates[1]: found nan, expected a finite number"},
      {"infinity",
       [](Rates& rates) {
         rates = {0, std::numeric_limits<double>::infinity()};
       },
       "strategy 'mine', decision 0: rates[1]: found inf, expected a finite number"},
      {"too few", [](Rates& rates) { rates = {1}; },
       "strategy 'mine', decision 0: rates: found 1 number, expected 2"},
      {"too many",
       [](Rates& rates) {
         rates = {1, 1, 1};
       },
       "strategy 'mine', decision 0: rates: found 3 numbers, expected 2"},
      {"too large",
       [](Rates& rates) {
         rates = {0, 1.2};
       },
       "strategy 'mine', decision 0: rates[1]: found 1.2, expected at most 1"},
      {"too small",
       [](Rates& rates) {
         rates = {-0.5, 1};
       },
       "strategy 'mine', decision 0: rates[0]: found -0.5, expected at least 0"},
      {"broken",
       [](Rates& rates) {
         rates = {0, 0.5};
       },
       "strategy 'mine', decision 0: rates[1]: found 0.5, expected a whole number"},
      {"an exception", [](Rates&) { throw std::runtime_error("no idea"); },
       "strategy 'mine', decision 0: the rule threw an exception: no idea"},
      {"any other", [](Rates&) { throw 7; },
       "strategy 'mine', decision 0: the rule threw something that is no std::exception"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    int calls = 0;
    const OwnRule rule = own_rule("mine", [&](const DecisionInput&, Rates& rates) {
      ++calls;
      row.answer(rates);
    });
    RuleRun run(spec_of(rule), kTable);
    CHECK_FALSE((ask(run) && run.all_in(between(0, 1)) && run.all_whole()));
    REQUIRE_FALSE(run.status());
    CHECK(run.status().error().code == ErrorCode::bad_value);
    CHECK(run.status().error().text() == row.error);
    CHECK_FALSE(ask(run));  // it is not asked again
    CHECK(calls == 1);
  }
}

TEST_CASE("the number of a decision counts from 0") {
  const OwnRule rule = own_rule("mine", [n = 0](const DecisionInput&, Rates& rates) mutable {
    rates.assign(2, n++ < 3 ? 0 : kNan);
  });
  RuleRun run(spec_of(rule), kTable);
  while (ask(run)) {
  }
  CHECK(run.status().error().where == "strategy 'mine', decision 3: rates[0]");
}

TEST_CASE("a name that a domain does not give to rules is an error that says so") {
  const auto error_of = [](const auto& decide) {
    const OwnRule rule = own_rule("mine", decide);
    RuleRun run(spec_of(rule), kTable);
    CHECK_FALSE(ask(run));
    return run.status().error().message;
  };
  CHECK(error_of([](const DecisionInput& told, Rates& rates) { rates[0] = told["wait"][0]; }) ==
        "the rule threw an exception: 'wait' is not given for each item; known: weight, age");
  CHECK(error_of([](const DecisionInput& told, Rates& rates) { rates[0] = told.once("lef"); }) ==
        "the rule threw an exception: 'lef' is not given for the whole decision; did you mean "
        "'left'?");
  CHECK(error_of([](const DecisionInput& told, Rates& rates) {
          rates[0] = told.curve("tine", 1);
        }) == "the rule threw an exception: there is no curve 'tine'; did you mean 'time'?");
}

TEST_CASE("a rule may fail with its own message, and chooses the length if a list is asked for") {
  const OwnRule failing = own_rule("mine", [](const DecisionInput&, Rates&) -> Status {
    return fail(ErrorCode::infeasible, "", "no answer for such loads");
  });
  RuleRun run(spec_of(failing), kTable);
  CHECK_FALSE(ask(run));
  CHECK(run.status().error().code == ErrorCode::infeasible);
  CHECK(run.status().error().text() == "strategy 'mine', decision 0: no answer for such loads");

  for (const std::size_t length :
       {std::size_t{0}, std::size_t{1}, std::size_t{5}, RuleRun::kLongest + 1}) {
    CAPTURE(length);
    const OwnRule list = own_rule("mine", [&](const DecisionInput&, Rates& segments) {
      CHECK(segments.empty());
      segments.assign(length, 1);
    });
    RuleRun one(spec_of(list), kList);
    CHECK(one.ask({}) == (length == 1 || length == 5));
  }
}

TEST_CASE("a rule's maker gets the realisation of its run, and may fail") {
  class Maker final : public RuleMaker {
   public:
    Result<std::unique_ptr<Rule>> start(const Draw& draw) const override {
      if (draw.scenario == 4) return fail(ErrorCode::infeasible, "", "not this one");
      if (draw.scenario == 5) return nullptr;
      class Own final : public Rule {
       public:
        explicit Own(const Draw& draw) : draw_{draw} {}
        Status decide(const DecisionInput&, DecisionAnswer& asked) override {
          asked[0] = {static_cast<double>(draw_.seed), static_cast<double>(draw_.scenario)};
          return {};
        }

       private:
        Draw draw_;
      };
      return std::make_unique<Own>(draw);
    }
  };
  const StrategySpec spec = spec_of({"mine", 1, std::make_shared<Maker>()});
  RuleRun run(spec, kTable);
  run.meet({.seed = 3, .scenario = 2});
  REQUIRE(ask(run));
  CHECK(run.answer()[0] == 3);
  CHECK(run.answer()[1] == 2);
  RuleRun refused(spec, kTable);
  refused.meet({.scenario = 4});
  CHECK_FALSE(ask(refused));
  CHECK(refused.status().error().text() == "strategy 'mine', decision 0: not this one");
  RuleRun nothing(spec, kTable);
  nothing.meet({.scenario = 5});
  CHECK_FALSE(ask(nothing));
  CHECK(nothing.status().error().message == "found no rule to start a run with");
}
