#include "holdfast/domains/moldable/simulate.hpp"

#include "holdfast/domains/moldable/optimum.hpp"
#include "holdfast/domains/moldable/test_jobs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace holdfast::moldable {
namespace {

constexpr std::int64_t kManyNodes = 20'000'000;

constexpr const char* kStrategies[] = {"lpa",
                                       "lpa:priority=hpa",
                                       "lpa-ratio",
                                       "lpa-ratio:priority=la",
                                       "min-time",
                                       "min-area",
                                       "batch",
                                       "batch:slack=0",
                                       "batch:priority=hpa",
                                       "batch-fit",
                                       "rolling",
                                       "rolling:theta=1.5:cap=0.2",
                                       "lpa:alpha=1.2"};

}  // namespace

TEST_CASE("simulate: every strategy obeys the model on every small instance") {
  for (std::uint64_t k = 0; k < 400; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    const Instance instance = random_instance(
        random,
        {.jobs = random.integer(1, 12), .processors = random.integer(1, 20), .failures = true});
    for (const char* text : kStrategies) {
      CAPTURE(text);
      const Run one = run(instance, text);
      const Metrics& metrics = one.metrics;
      REQUIRE(metrics.makespan >= metrics.lower_bound * (1 - 1e-12));
      REQUIRE(metrics.ratio == metrics.makespan / metrics.lower_bound);
      REQUIRE(metrics.makespan <= metrics.guarantee * (1 + 1e-12));
      REQUIRE(one.failures == instance.failures);
      if (metrics.batches) {
        const std::int64_t worst = *std::ranges::max_element(instance.failures);
        REQUIRE(*metrics.batches == std::bit_width(static_cast<std::uint64_t>(worst + 1)));
      }
    }
  }
}

TEST_CASE("simulate: lpa keeps the ratios of the theorems") {
  // 2 alpha against L' for roofline, communication, amdahl and mix.
  struct Model {
    SpeedupModel model;
    double ratio;
  };
  const Model models[] = {{SpeedupModel::roofline, 2},
                          {SpeedupModel::communication, 3},
                          {SpeedupModel::amdahl, 4},
                          {SpeedupModel::mix, 54.0 / 13}};
  for (const auto& [model, ratio] : models) {
    double worst = 0;
    for (std::uint64_t k = 0; k < 3000; ++k) {
      CAPTURE(k);
      Stream random({.instance = k});
      Instance instance;
      instance.processors = random.integer(1, 24);
      const std::int64_t jobs = random.integer(1, 8);
      while (static_cast<std::int64_t>(instance.size()) < jobs) {
        Speedup job = random_speedup(random, instance.processors, false);
        if (job.model() != model) continue;
        instance.jobs.push_back(std::move(job));
        instance.failures.push_back(random.chance(0.3) ? random.integer(0, 4) : 0);
      }
      const PreparedInstance prepared(instance);
      const auto rule = strategy("lpa", instance);
      Simulator simulator(prepared, *rule);
      ErrorRealisation errors;
      fix_errors(instance, errors);
      const double found = simulator.run(errors).ratio;
      worst = std::max(worst, found);
      REQUIRE(found <= ratio * (1 + 1e-12));
    }
    MESSAGE(std::string(name(model)) << ": worst ratio " << worst << ", proven " << ratio);
  }
}

TEST_CASE("simulate: measuring time in half seconds changes nothing but the numbers") {
  for (std::uint64_t k = 0; k < 150; ++k) {
    CAPTURE(k);
    Stream first({.instance = k});
    Instance once = random_instance(first, {.jobs = 9, .processors = 15, .failures = true});
    Instance twice = once;
    for (Speedup& job : twice.jobs) {
      switch (job.model()) {
        case SpeedupModel::table: {
          std::vector<double> times(job.times().begin(), job.times().end());
          for (double& time : times) time *= 2;
          job = Speedup::table(std::move(times));
          break;
        }
        case SpeedupModel::power:
          job = Speedup::power(2 * job.work(), job.exponent());
          break;
        case SpeedupModel::roofline:
          job = Speedup::roofline(2 * job.work(), job.max_parallelism());
          break;
        case SpeedupModel::communication:
          job = Speedup::communication(2 * job.work(), 2 * job.overhead());
          break;
        default: {
          Speedup mix = Speedup::mix_of_parts(2 * job.parallel_work(), 2 * job.sequential_work(),
                                              job.max_parallelism(), 2 * job.overhead());
          job = job.model() == SpeedupModel::mix
                    ? mix
                    : Speedup::amdahl_of_parts(2 * job.parallel_work(), 2 * job.sequential_work());
        }
      }
    }
    for (const char* text : kStrategies) {
      CAPTURE(text);
      const Run a = run(once, text);
      const Run b = run(twice, text);
      REQUIRE(b.metrics.makespan == 2 * a.metrics.makespan);
      REQUIRE(b.metrics.lower_bound == 2 * a.metrics.lower_bound);
      REQUIRE(b.attempts.size() == a.attempts.size());
    }
  }
}

TEST_CASE("simulate: renaming the jobs changes nothing where no two keys are equal") {
  for (std::uint64_t k = 0; k < 100; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    Instance instance;
    instance.processors = 15;
    for (int job = 0; job < 10; ++job) {
      instance.jobs.push_back(
          Speedup::mix(random.uniform(1, 1000), 9, random.uniform(0, 0.5), random.uniform(0, 5)));
      instance.failures.push_back(random.integer(0, 3));
    }
    Instance reversed = instance;
    std::ranges::reverse(reversed.jobs);
    std::ranges::reverse(reversed.failures);
    for (const char* text : {"lpa", "lpa-ratio", "min-time", "min-area"}) {
      CHECK(run(reversed, text).metrics.makespan == run(instance, text).metrics.makespan);
    }
  }
}

TEST_CASE("simulate: more processors never raise the lower bound") {
  for (std::uint64_t k = 0; k < 100; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    Instance instance = random_instance(random, {.jobs = 8, .processors = 40, .failures = true});
    double before = 0;
    for (instance.processors = 1; instance.processors <= 40; ++instance.processors) {
      const double bound = lower_bound(limits(instance), instance.processors, instance.failures);
      if (instance.processors > 1) REQUIRE(bound <= before * (1 + 1e-12));
      before = bound;
    }
  }
}

TEST_CASE("simulate: the optimum is between the bound and every strategy") {
  for (std::uint64_t k = 0; k < 120; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    Instance instance =
        random_instance(random, {.jobs = random.integer(1, 3), .processors = random.integer(1, 4)});
    for (std::size_t job = 0; job < instance.size(); ++job) {
      instance.failures.push_back(random.chance(0.3) ? 1 : 0);
    }
    const auto best = optimum(instance, kManyNodes);
    REQUIRE(best.has_value());
    double makespan = 0;
    for (const Attempt& attempt : *best) makespan = std::max(makespan, attempt.end);
    REQUIRE(makespan >=
            lower_bound(limits(instance), instance.processors, instance.failures) * (1 - 1e-12));
    for (const char* text : kStrategies) {
      CAPTURE(text);
      REQUIRE(makespan <= run(instance, text).metrics.makespan * (1 + 1e-12));
    }
  }
}

TEST_CASE("simulate: a job without work takes no time") {
  Instance instance;
  instance.processors = 4;
  instance.jobs = {Speedup::amdahl(0, 0.1), Speedup::amdahl(8, 0)};
  instance.failures = {2, 0};
  for (const char* text : kStrategies) {
    CAPTURE(text);
    const Run one = run(instance, text);
    CHECK(one.attempts.size() == 4);
    for (const Attempt& attempt : one.attempts) {
      if (attempt.job == 0) CHECK(attempt.processors == 1);
    }
  }
}

TEST_CASE("simulate: as-given follows the document, attempt by attempt") {
  Instance instance;
  instance.processors = 4;
  instance.jobs = {Speedup::roofline(12, 4), Speedup::roofline(6, 4)};
  instance.failures = {3, 0};
  instance.given = {{4, 2, 2, 3}, {1}};
  const Run one = run(instance, "as-given");
  std::vector<std::int64_t> used;
  for (const Attempt& attempt : one.attempts) {
    if (attempt.job == 0) used.push_back(attempt.processors);
  }
  CHECK(used == std::vector<std::int64_t>{4, 2, 2, 3});
  // Behind the longer job, from 6: 3 s on 4 processors, twice 6 s on 2, 4 s on 3.
  CHECK(one.metrics.makespan == 25);
  instance.given = {{4, 2}, {1}};
  CHECK(run(instance, "as-given").metrics.makespan == 27);  // the last holds for later attempts
}

TEST_CASE("failures: as likely as the law says, the same for every strategy") {
  Instance instance;
  instance.processors = 1;
  instance.error_rate = 1e-3;
  instance.jobs.assign(20000, Speedup::roofline(700, 1));
  const PreparedInstance prepared(instance);
  std::vector<std::int64_t> failures =
      errors_of(prepared, {.purpose = Purpose::failures}).failures();
  const double mean =
      static_cast<double>(std::accumulate(failures.begin(), failures.end(), std::int64_t{0})) /
      20000;
  // q / (1 - q) = e^0.7 - 1 = 1.01375; standard deviation of the mean 0.0101
  CHECK(mean == doctest::Approx(1.01375).epsilon(0.03));
  instance.failure_probabilities.assign(20000, 0.25);
  const PreparedInstance other(instance);
  failures = errors_of(other, {.purpose = Purpose::failures}).failures();
  const auto none = std::ranges::count(failures, 0);
  CHECK(static_cast<double>(none) / 20000 == doctest::Approx(0.75).epsilon(0.015));
}

}  // namespace holdfast::moldable
