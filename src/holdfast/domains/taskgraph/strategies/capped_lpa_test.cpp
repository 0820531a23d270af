#include "holdfast/domains/taskgraph/strategies/capped_lpa.hpp"

#include "holdfast/domains/taskgraph/testing.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace holdfast::taskgraph {
namespace {

Instance of(std::vector<Speedup> tasks) {
  Instance instance;
  instance.processors = 100;
  instance.graph = Dag::from_edges(tasks.size(), {}).value();
  instance.tasks = std::move(tasks);
  return instance;
}

const Speedup kRooflineTask = Speedup::roofline(100, 50);
const Speedup kAmdahlTask = Speedup::amdahl_of_parts(95, 5);
const Speedup kPower = Speedup::power(100, 0.5);
const Speedup kTable = Speedup::table({10, 6, 4.2, 5}, 4);

std::int64_t allocate(const CappedLpa& strategy, const Speedup& task) {
  return strategy.allocate({.speedup = task});
}

}  // namespace

TEST_CASE("capped-lpa: a mixture of models uses the parameters of mix for all its tasks") {
  const CappedLpa mixed = CappedLpa::make(of({kRooflineTask, kAmdahlTask}), {}).value();
  CHECK(mixed.rule(SpeedupModel::roofline).alpha == 2);
  CHECK(mixed.rule(SpeedupModel::amdahl).alpha == 2);
  CHECK(allocate(mixed, kRooflineTask) == 22);
  CHECK(mixed.proven_ratio().value() == doctest::Approx(4.628165801109).epsilon(1e-12));

  const CappedLpa alone = CappedLpa::make(of({kRooflineTask}), {}).value();
  CHECK(allocate(alone, kRooflineTask) == 39);
  CHECK(alone.proven_ratio().value() == doctest::Approx(2.618033988750).epsilon(1e-12));
}

TEST_CASE("capped-lpa: by each task's own model, without a ratio") {
  const CappedLpa own =
      CappedLpa::make(of({kRooflineTask, kAmdahlTask}), {.per_task = true}).value();
  CHECK(allocate(own, kRooflineTask) == 39);
  CHECK(allocate(own, kAmdahlTask) == 18);
  CHECK(!own.proven_ratio());
}

TEST_CASE("capped-lpa: power and table ask for alpha and mu") {
  for (const Speedup& task : {kPower, kTable}) {
    const Instance instance = of({kAmdahlTask, task});
    for (const CappedLpaOptions& lacking :
         {CappedLpaOptions{}, CappedLpaOptions{.alpha = 2}, CappedLpaOptions{.mu = 0.2}}) {
      const auto made = CappedLpa::make(instance, lacking);
      REQUIRE(!made);
      CHECK(made.error().where == "/tasks/1/speedup/model");
      CHECK(made.error().message.find("expected alpha and mu") != std::string::npos);
      CHECK(exit_code(made.error().code) == 3);
    }
    const CappedLpa made = CappedLpa::make(instance, {.alpha = 2, .mu = 0.2}).value();
    CHECK(!made.proven_ratio());
  }
  const CappedLpa made = CappedLpa::make(of({kPower}), {.alpha = 2, .mu = 0.2}).value();
  CHECK(allocate(made, kPower) == 4);  // a(p) = 100 sqrt(p) <= 200
  const CappedLpa table = CappedLpa::make(of({kTable}), {.alpha = 1.2, .mu = 0.2}).value();
  CHECK(allocate(table, kTable) == 2);
}

TEST_CASE("capped-lpa: a ratio for given numbers only with a beta that is true and proves it") {
  const Instance instance = of({kAmdahlTask});  // alpha = 2: p = 20, t = 9.75, least 5.95: 1.64
  const auto ratio = [&](CappedLpaOptions options) {
    return CappedLpa::make(instance, options).value().proven_ratio();
  };
  CHECK(!ratio({.alpha = 2}));
  CHECK(!ratio({.alpha = 2, .mu = 0.2}));
  CHECK(!ratio({.alpha = 2, .beta = 1.5}));  // not true of this task
  // True, and mu by Lemma 18: 1 / mu.
  CHECK(ratio({.alpha = 2, .beta = 1.7}).value() ==
        doctest::Approx(1 / common_mu(2, 1.7)).epsilon(1e-12));
  // A larger mu than necessary: beta + alpha / (1 - mu).
  CHECK(ratio({.alpha = 2, .beta = 1.7, .mu = 0.3}).value() == doctest::Approx(1.7 + 2 / 0.7));
  CHECK(!ratio({.alpha = 2, .beta = 1.7, .mu = 0.5}));  // 0.5 / 0.25 is above beta
  CHECK(!ratio({.alpha = 2, .beta = 1.7, .mu = 0.1}));  // too small a mu
}

}  // namespace holdfast::taskgraph
