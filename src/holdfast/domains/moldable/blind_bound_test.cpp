#include "holdfast/domains/moldable/blind_bound.hpp"

#include "holdfast/domains/moldable/generator.hpp"
#include "holdfast/domains/moldable/test_jobs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace holdfast::moldable {
namespace {

double bound_of(const Instance& instance) {
  const PreparedInstance prepared(instance);
  return blind_bound(prepared.state(prepared.all));
}

Instance with_failures(std::int64_t processors, double probability, std::vector<Speedup> jobs) {
  Instance out;
  out.processors = processors;
  out.jobs = std::move(jobs);
  out.failure_probabilities.assign(out.size(), probability);
  return out;
}

/// The mean of a strategy's makespan, its standard error, and the mean of the bound that knows all failures.
struct Mean {
  double makespan = 0, error = 0, known = 0;
};
Mean mean_of(const Instance& instance, const char* text, int scenarios) {
  const PreparedInstance prepared(instance);
  const auto rule = strategy(text, instance);
  Simulator simulator(prepared, *rule);
  double sum = 0, squares = 0, known = 0;
  for (int k = 0; k < scenarios; ++k) {
    ErrorRealisation errors = errors_of(
        prepared,
        {.seed = 9, .purpose = Purpose::failures, .scenario = static_cast<std::uint64_t>(k)});
    const Metrics metrics = simulator.run(errors);
    sum += metrics.makespan;
    squares += metrics.makespan * metrics.makespan;
    known += metrics.lower_bound;
  }
  const double mean = sum / scenarios;
  return {mean, std::sqrt((squares / scenarios - mean * mean) / scenarios), known / scenarios};
}

}  // namespace

TEST_CASE("blind bound: one job on one processor takes w / (1 - q) on average") {
  for (const double q : {0.0, 0.1, 0.3, 0.6}) {
    CAPTURE(q);
    const double found = bound_of(with_failures(1, q, {Speedup::roofline(50, 1)}));
    CHECK(found <= 50 / (1 - q) * (1 + 1e-12));
    CHECK(found >= 0.9 * 50 / (1 - q));
  }
}

TEST_CASE("blind bound: no rule ends earlier on average") {
  for (std::uint64_t k = 0; k < 60; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    Instance instance = random_instance(
        random, {.jobs = random.integer(1, 8), .processors = random.integer(1, 30)});
    instance.failure_probabilities.assign(instance.size(), random.uniform(0, 0.7));
    const double bound = bound_of(instance);
    for (const char* text : {"rolling", "lpa", "batch-fit", "min-time"}) {
      CAPTURE(std::string(text));
      const Mean mean = mean_of(instance, text, 300);
      CHECK(mean.makespan + 4 * mean.error >= bound);
    }
  }
}

TEST_CASE("blind bound: not to know what will fail costs something") {
  // A tail of jobs that fail often, so that they would be fast in time only on more processors than there are: t(p) = 20 + 80 / p.
  const Instance instance =
      with_failures(256, 0.5, std::vector<Speedup>(256, Speedup::amdahl_of_parts(80, 20)));
  const Mean mean = mean_of(instance, "rolling", 200);
  const double bound = bound_of(instance);
  MESSAGE("known " << mean.known << ", blind " << bound << ", rolling " << mean.makespan);
  CHECK(bound > 1.2 * mean.known);
  CHECK(bound < mean.makespan);
}

}  // namespace holdfast::moldable
