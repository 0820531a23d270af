// The check vectors of the domain's specification in code, where a document would be too large, and the tables.
#include "holdfast/domains/moldable/balance.hpp"
#include "holdfast/domains/moldable/simulate.hpp"
#include "holdfast/domains/moldable/strategies.hpp"
#include "holdfast/domains/moldable/strategies/lpa.hpp"
#include "holdfast/domains/moldable/strategies/lpa_ratio.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

namespace holdfast::moldable {
namespace {

double makespan(const Instance& instance, std::string_view strategy) {
  REQUIRE(check(instance).has_value());
  const auto table = strategies();
  const auto spec = parse_strategy(strategy, table);
  REQUIRE(spec.has_value());
  const auto made = make_strategy(*spec, instance);
  REQUIRE(made.has_value());
  const PreparedInstance prepared(instance);
  Simulator simulator(prepared, **made);
  ErrorRealisation errors;
  fix_errors(instance, errors);
  return simulator.run(errors).makespan;
}

Instance four_jobs() {
  Instance out;
  out.processors = 8;
  out.jobs = {Speedup::amdahl(100, 0.1), Speedup::communication(60, 2), Speedup::roofline(48, 4),
              Speedup::mix(80, 6, 0.05, 0.5)};
  out.failures = {1, 0, 2, 0};
  return out;
}

}  // namespace

TEST_CASE("V2: makespans of four jobs on 8 processors") {
  const Instance instance = four_jobs();
  const PreparedInstance prepared(instance);
  CHECK(lower_bound(prepared.limits, 8, instance.failures) == doctest::Approx(60.5).epsilon(1e-12));
  struct Row {
    const char* strategy;
    double makespan;
  };
  const Row rows[] = {
      {"lpa", 97.666666667},
      {"lpa-ratio", 84.5},
      {"min-time", 117.666666667},
      {"min-area", 200},
      {"batch:slack=0", 93},
      {"batch:slack=0:priority=hpa", 93},
      {"batch:slack=0:priority=la", 93},
      {"batch", 101},
      {"batch:priority=hpa", 103.5},
      {"batch:priority=la", 101},
  };
  for (const Row& row : rows) {
    CAPTURE(row.strategy);
    CHECK(makespan(instance, row.strategy) == doctest::Approx(row.makespan).epsilon(1e-11));
  }
}

TEST_CASE("V2: allotments of four jobs on 8 processors") {
  const Instance instance = four_jobs();
  const PreparedInstance prepared(instance);
  const State state = prepared.state(prepared.all);
  struct Row {
    std::int64_t attempts;
    double slack;
    double bound;
    std::vector<std::vector<std::int64_t>> allocations;
  };
  const Row rows[] = {
      {1, 0, 40.375, {{3}, {2}, {4}, {3}}},
      {2, 0, 80, {{3, 3}, {2, 2}, {4, 4}, {3, 2}}},
      {4, 0, 160, {{3, 3, 3, 3}, {2, 2, 2, 1}, {4, 4, 4, 4}, {3, 2, 2, 2}}},
      {1, 0.1, 42.5, {{3}, {2}, {4}, {2}}},
      {2, 0.1, 85, {{3, 3}, {2, 2}, {4, 4}, {2, 2}}},
      {4, 0.1, 170, {{3, 3, 3, 3}, {2, 2, 2, 1}, {4, 4, 4, 4}, {2, 2, 2, 2}}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.attempts);
    CAPTURE(row.slack);
    Allotment allotment;
    balance(state, row.attempts, {.slack = row.slack}, allotment);
    CHECK(allotment.bound == doctest::Approx(row.bound).epsilon(1e-12));
    for (std::size_t job = 0; job < 4; ++job) {
      std::vector<std::int64_t> found;
      for (const AttemptRun& run : allotment.of(job)) {
        found.insert(found.end(), static_cast<std::size_t>(run.attempts), run.processors);
      }
      CHECK(found == row.allocations[job]);
    }
  }
  CHECK(relaxed_bound(state, 1) == doctest::Approx(39.708107047).epsilon(1e-11));
  CHECK(relaxed_bound(state, 2) == doctest::Approx(79.416214094).epsilon(1e-11));
  CHECK(relaxed_bound(state, 4) == doctest::Approx(158.832428188).epsilon(1e-11));
}

}  // namespace holdfast::moldable
