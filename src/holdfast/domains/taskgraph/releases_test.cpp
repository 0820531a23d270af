// Tasks that are released over time.
#include "holdfast/domains/taskgraph/bounds.hpp"
#include "holdfast/domains/taskgraph/instance_io.hpp"
#include "holdfast/domains/taskgraph/optimum.hpp"
#include "holdfast/domains/taskgraph/point.hpp"
#include "holdfast/domains/taskgraph/simulate.hpp"
#include "holdfast/domains/taskgraph/strategies.hpp"
#include "holdfast/domains/taskgraph/testing.hpp"
#include "holdfast/domains/taskgraph/validate.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::taskgraph {
namespace {

using testing::kModels;
using testing::random_failures;
using testing::random_instance;

constexpr const char* kOnline[] = {"capped-lpa",   "capped-lpa:priority=bottom-level",
                                   "wide-lpa",     "wide-lpa:phi=0.5:priority=lpt",
                                   "min-time",     "min-area",
                                   "fraction:0.3", "ect"};

Instance random_arrivals(Stream& random, SpeedupModel model, std::int64_t tasks,
                         std::int64_t processors) {
  Instance out = random_instance(random, model, tasks, processors);
  const double most = 2 * lower_bounds(out).lower() + 1;
  for (std::size_t task = 0; task < out.size(); ++task) {
    out.releases.push_back(random.chance(0.5) ? 0.0 : std::floor(random.uniform(0, most)));
  }
  return out;
}

// Runs a strategy; the schedule must pass the validator, and keep the ratio that the strategy proves.
Metrics run_online(const Instance& instance, std::string_view text, const Draw& draw = {}) {
  const auto made = make_strategy(parse_strategy(text, strategies()).value(), instance);
  REQUIRE(made.has_value());
  const Strategy& strategy = **made;
  const auto strikes = strikes_of(instance, draw);
  const auto failures = failures_of(instance, draw);
  Schedule schedule;
  const Metrics out = simulate(instance, strategy, make_plan(instance, strategy), failures,
                               &schedule, strikes ? &*strikes : nullptr);
  const bool may_idle = strategy.is_given() || strategy.discipline() == Discipline::place;
  const Status valid =
      validate(instance, failures, schedule, may_idle ? Idling::allowed : Idling::forbidden,
               strikes ? &*strikes : nullptr);
  if (!valid) FAIL(valid.error().text());
  REQUIRE(out.makespan >= out.lower_bound * (1 - 1e-12));
  if (const auto ratio = strategy.proven_ratio(); ratio && !strategy.is_given()) {
    REQUIRE(out.makespan <= *ratio * out.lower_bound * (1 + 1e-12));
  }
  return out;
}

void check_arrivals(std::uint64_t count) {
  int met = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    CAPTURE(k);
    Stream random({.instance = k, .entity = 2});
    Instance instance = random_arrivals(random, kModels[k % 4], 30, 40);
    if (k % 3 == 0) instance.failures = random_failures(random, instance.size());
    if (k % 3 == 1) {
      instance.error_model = k % 2 == 0 ? ErrorModel::area : ErrorModel::fail_stop;
      instance.error_rate = std::pow(10.0, random.uniform(-3.5, -1.5));
    }
    REQUIRE(check(instance).has_value());
    for (const char* text : kOnline) {
      CAPTURE(text);
      const Metrics found = run_online(instance, text, {.seed = 1, .scenario = k});
      met += found.makespan <= found.lower_bound * (1 + 1e-9) ? 1 : 0;
    }
  }
  CHECK(met > 0);
}

}  // namespace

TEST_CASE("releases: every schedule obeys the model and its proven ratio, 200 random graphs") {
  check_arrivals(200);
}

TEST_CASE("releases: every schedule obeys the model and its proven ratio, 10 000 random graphs" *
          doctest::test_suite("thorough")) {
  check_arrivals(10'000);
}

TEST_CASE("releases: LB <= OPT <= every strategy") {
  int exact = 0;
  for (std::uint64_t k = 0; k < 200; ++k) {
    CAPTURE(k);
    Stream random({.instance = k, .entity = 3});
    Instance instance = random_arrivals(random, kModels[k % 4], 4, 3);
    if (random.chance(0.3)) instance.failures = random_failures(random, instance.size());
    const auto best = optimum(instance, instance.failures, 1'000'000);
    if (!best) continue;  // many failures
    REQUIRE(validate(instance, instance.failures, best->schedule, Idling::allowed));
    const double bound = lower_bounds(instance, instance.failures).lower();
    REQUIRE(bound <= best->makespan * (1 + 1e-12));
    exact += bound >= best->makespan * (1 - 1e-12) ? 1 : 0;
    REQUIRE(run_online(instance, "optimal").makespan == best->makespan);
    for (const char* text : kOnline) {
      CAPTURE(text);
      REQUIRE(run_online(instance, text).makespan >= best->makespan * (1 - 1e-12));
    }
  }
  CHECK(exact > 20);
}

TEST_CASE("releases: at 0 they change no schedule, and a path begins at one as after a parent") {
  for (std::uint64_t k = 0; k < 100; ++k) {
    CAPTURE(k);
    Stream random({.instance = k, .entity = 4});
    const Instance instance = random_arrivals(random, kModels[k % 4], 20, 20);
    Instance at_zero = instance, none = instance;
    at_zero.releases.assign(instance.size(), 0.0);
    none.releases.clear();
    std::vector<Edge> edges;
    Instance sources = none;
    for (std::size_t task = 0; task < instance.size(); ++task) {
      for (const TaskIndex parent : instance.graph.parents(task)) {
        edges.push_back({parent, static_cast<TaskIndex>(task)});
      }
      edges.push_back({static_cast<TaskIndex>(sources.tasks.size()), static_cast<TaskIndex>(task)});
      sources.tasks.push_back(Speedup::roofline(instance.releases[task], 1));
    }
    sources.graph = Dag::from_edges(sources.tasks.size(), edges).value();
    CHECK(lower_bounds(instance).critical_path ==
          doctest::Approx(lower_bounds(sources).critical_path).epsilon(1e-12));
    for (const char* text : kOnline) {
      CAPTURE(text);
      const Metrics zero = run_online(at_zero, text), plain = run_online(none, text);
      REQUIRE(zero.makespan == plain.makespan);
      REQUIRE(zero.lower_bound >= plain.lower_bound * (1 - 1e-12));
    }
  }
}

TEST_CASE("releases: jobs of a log follow each other, and are released when they were submitted") {
  const auto parameters_of = [](const std::string& text) {
    return read_generator(parse_json(text).value());
  };
  const std::string log =
      R"("log": {"sizes": [[10, 2], [20, 4], [5, 1]], "releases": [3, 13, 14], "preceding": [-1, 0, 0]})";
  const auto logged =
      parameters_of("{" + log + R"(, "releases": "logged", "sequential_fraction": 0.1})");
  REQUIRE(logged.has_value());
  CHECK(logged->processors == 4);
  const Instance instance = generate(*logged, 1);
  CHECK(instance.releases == std::vector<double>{0, 10, 11});
  CHECK(instance.graph.edges() == 2);
  CHECK(instance.tasks[1].time(4) == doctest::Approx(20).epsilon(1e-12));
  CHECK(run_online(instance, "as-given").makespan ==
        doctest::Approx(35).epsilon(1e-12));  // 10 + 20 + 5
  CHECK(generate(parameters_of("{" + log + "}").value(), 1).releases.empty());
  const Value written = to_value(*logged);
  CHECK(to_json(to_value(read_generator(written).value())) == to_json(written));
  const auto refused = [&](const std::string& text) {
    const auto found = parameters_of(text);
    REQUIRE(!found.has_value());
    return found.error().where;
  };
  CHECK(refused(R"({"log": {"sizes": [[1, 1]], "preceding": [0]}})") == "/log/preceding/0");
  CHECK(refused(R"({"log": {"sizes": [[1, 1]], "releases": [0, 1]}})") == "/log/releases");
  CHECK(refused(R"({"releases": "logged"})") == "/releases");
}

}  // namespace holdfast::taskgraph
