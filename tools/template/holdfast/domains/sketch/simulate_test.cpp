#include "holdfast/domains/sketch/simulate.hpp"

#include "holdfast/domains/sketch/generator.hpp"
#include "holdfast/domains/sketch/strategies.hpp"
#include "holdfast/domains/sketch/validate.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <string_view>
#include <vector>

using namespace holdfast;
using namespace holdfast::sketch;

namespace {

StrategySpec spec(std::string_view text) {
  return parse_strategy(text, strategies()).value();
}

Metrics run(const Instance& instance, std::string_view strategy) {
  std::vector<ScheduleRow> rows;
  const Instance struck = generate(instance, {});
  const auto rule = make_strategy(spec(strategy), struck);
  const Metrics metrics = simulate(struck, *rule, &rows);
  const Status status = validate(struck, rows, metrics);
  CHECK_MESSAGE(status.has_value(), (status ? "" : status.error().text()));
  return metrics;
}

}  // namespace

TEST_CASE("sketch simulate: 100 s in two segments, a save takes 10 s") {
  struct Row {
    std::string_view why;
    std::vector<double> failures;
    double makespan;
  };
  const Row rows[] = {
      {"no failure: 60 + 60", {}, 120},
      {"loses 10 s of the second segment: 70 + 60", {70}, 130},
      {"at the instant a save ends, it is kept, and the next segment loses nothing", {60}, 120},
      {"just before, it is lost: 59.5 + 60 + 60", {59.5}, 179.5},
      {"twice: 70 + 5 + 60", {70, 75}, 135},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    const Instance instance{.work = 100, .save = 10, .dates = row.failures};
    CHECK(run(instance, "parts:2").makespan == row.makespan);
  }
}

TEST_CASE("sketch simulate: one part is the whole, whatever fails") {
  CHECK(rc::check([](std::vector<unsigned char> gaps) {
    Instance instance{.work = 90, .save = 10, .dates = std::vector<double>{}};
    double date = 0;
    for (const auto gap : gaps) instance.dates->push_back(date += gap + 0.5);
    RC_ASSERT(run(instance, "parts:1").makespan == run(instance, "whole").makespan);
  }));
}

TEST_CASE("sketch simulate: every strategy sees the same failures, and the validator agrees") {
  const Instance instance{.work = 1000, .save = 10, .mtbf = 500, .dates = {}};
  for (const StrategyEntry& entry : strategies()) {
    CAPTURE(entry.name);
    CHECK(run(instance, entry.name).makespan >= instance.work + instance.save);
  }
}

TEST_CASE("sketch validate: a run whose metrics contradict its schedule is refused") {
  const Instance instance{.work = 100, .save = 10, .dates = std::vector<double>{70}};
  std::vector<ScheduleRow> rows;
  const auto rule = make_strategy(spec("parts:2"), instance);
  Metrics metrics = simulate(instance, *rule, &rows);
  metrics.failures = 0;
  CHECK(validate(instance, rows, metrics).error().message == "the number of failures differs");
  metrics.failures = 1;
  const Instance quiet{.work = 100, .save = 10, .dates = std::vector<double>{}};
  CHECK(validate(quiet, rows, metrics).error().text() == "row 1: is lost without a failure");
}
