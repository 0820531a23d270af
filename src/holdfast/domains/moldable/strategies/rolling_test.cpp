#include "holdfast/domains/moldable/generator.hpp"
#include "holdfast/domains/moldable/simulate.hpp"
#include "holdfast/domains/moldable/test_jobs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace holdfast::moldable {
namespace {

constexpr const char* kUntried =
    "rolling:theta=1.2:cap=0.05";  // the rule itself, without candidates

Instance of(std::int64_t processors, double error_rate, std::vector<Speedup> jobs,
            std::vector<std::int64_t> failures) {
  Instance out;
  out.processors = processors;
  out.error_rate = error_rate;
  out.jobs = std::move(jobs);
  out.failures = std::move(failures);
  return out;
}

/// An attempt of a schedule.
struct Planned {
  double start;
  std::uint32_t job;
  std::int64_t processors;
  double end;
};

void check_rows(const Run& found, const std::vector<Planned>& rows) {
  REQUIRE(found.attempts.size() == rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    CAPTURE(k);
    CHECK(found.attempts[k].start == doctest::Approx(rows[k].start).epsilon(1e-9));
    CHECK(found.attempts[k].job == rows[k].job);
    CHECK(found.attempts[k].processors == rows[k].processors);
    CHECK(found.attempts[k].end == doctest::Approx(rows[k].end).epsilon(1e-9));
  }
}

/// The mean and the largest ratio to the bound.
struct Sample {
  double mean = 0, worst = 0;
};
Sample sample(const GeneratorParameters& point, std::string_view text, std::uint64_t seed, int sets,
              int scenarios) {
  Sample out;
  for (int set = 0; set < sets; ++set) {
    const Instance instance = generate(point, seed, static_cast<std::uint64_t>(set));
    const PreparedInstance prepared(instance);
    const auto rule = strategy(text, instance);
    Simulator simulator(prepared, *rule);
    for (int k = 0; k < scenarios; ++k) {
      ErrorRealisation errors = errors_of(prepared, {.seed = seed,
                                                     .purpose = Purpose::failures,
                                                     .instance = static_cast<std::uint64_t>(set),
                                                     .scenario = static_cast<std::uint64_t>(k)});
      const double ratio = simulator.run(errors).ratio;
      out.mean += ratio / (sets * scenarios);
      out.worst = std::max(out.worst, ratio);
    }
  }
  return out;
}

}  // namespace

TEST_CASE("rolling: the schedules of the specification") {
  const std::vector<Speedup> four{Speedup::amdahl(100, 0.1), Speedup::communication(60, 2),
                                  Speedup::roofline(48, 4), Speedup::mix(80, 6, 0.05, 0.5)};
  // Failures that come as a surprise: J1 fails once, J3 twice.
  check_rows(run(of(8, 0, four, {1, 0, 2, 0}), kUntried), {{0, 2, 1, 48},
                                                           {0, 3, 2, 42.5},
                                                           {0, 0, 3, 40},
                                                           {0, 1, 2, 32},
                                                           {42.5, 0, 7, 65.3571428571},
                                                           {65.3571428571, 2, 4, 77.3571428571},
                                                           {77.3571428571, 2, 4, 89.3571428571}});
  check_rows(run(of(8, 0.004, four, {1, 0, 2, 0}), kUntried), {{0, 2, 1, 48},
                                                               {0, 3, 2, 42.5},
                                                               {0, 0, 3, 40},
                                                               {0, 1, 2, 32},
                                                               {40, 0, 5, 68},
                                                               {48, 2, 3, 64},
                                                               {64, 2, 3, 80}});
  // Job 3 keeps one processor, since job 2 runs until 100.
  const std::vector<Speedup> power{Speedup::power(64, 0.5), Speedup::power(100, 0),
                                   Speedup::power(36, 1)};
  check_rows(
      run(of(16, 0.005, power, {0, 1, 1}), "rolling:cap=0.1"),
      {{0, 1, 1, 100}, {0, 2, 2, 18}, {0, 0, 13, 17.7504062880}, {18, 2, 1, 54}, {100, 1, 1, 200}});
}

TEST_CASE("rolling: within its ratio, whether the watchdog fires or not") {
  // Rates that are far too low, so that failures surprise the rule.
  const double alphas[] = {1, 1.5, 2, 27.0 / 13};
  for (std::uint64_t k = 0; k < 4000; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    Instance instance = of(random.integer(2, 40), random.chance(0.5) ? 0 : 1e-4, {}, {});
    double alpha = 1;
    const std::int64_t jobs = random.integer(1, 12);
    while (static_cast<std::int64_t>(instance.size()) < jobs) {
      Speedup job = random_speedup(random, instance.processors, false);
      if (job.model() == SpeedupModel::power) continue;
      alpha = std::max(alpha, alphas[static_cast<std::size_t>(job.model())]);
      instance.jobs.push_back(std::move(job));
      instance.failures.push_back(random.chance(0.3) ? random.integer(0, 12) : 0);
    }
    for (const char* text : {kUntried, "rolling", "rolling:cap=0", "rolling:theta=3:cap=1"}) {
      const Metrics metrics = run(instance, text).metrics;
      REQUIRE(metrics.makespan >= metrics.lower_bound * (1 - 1e-12));
      REQUIRE(metrics.makespan <= metrics.guarantee * (1 + 1e-12));
      REQUIRE(metrics.ratio <= (4 + 2 * alpha) * (1 + 1e-12));
      const bool has_fired = metrics.guarantee > 4 * metrics.lower_bound * (1 + 1e-12);
      if (text == kUntried && !has_fired) REQUIRE(metrics.ratio <= 4 * (1 + 1e-12));
    }
  }
}

TEST_CASE("rolling: each course alone keeps the ratio of its fall-back") {
  int fired = 0;
  for (std::uint64_t k = 0; k < 1000; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    const Instance instance = random_instance(
        random,
        {.jobs = random.integer(1, 12), .processors = random.integer(2, 40), .failures = true});
    const PreparedInstance prepared(instance);
    const State state = prepared.state(prepared.all);
    const auto lpa = strategy("lpa", instance);
    const auto fit = strategy("batch-fit", instance);
    const Course courses[] = {
        {.fall_back = lpa.get()},
        {.batches = fit.get(), .fall_back = lpa.get()},
        {.rolling = RollingRules{.caution = 0.8, .reserve = 0.3}, .fall_back = lpa.get()},
        {.rolling = RollingRules{.patience = 0.5}, .fall_back = lpa.get()},
        {.rolling = RollingRules{.patience = 0}, .fall_back = lpa.get()}};
    for (const Course& course : courses) {
      Simulator simulator(state, course);
      ErrorRealisation errors;
      errors.fix(instance.failures);
      std::vector<Attempt> attempts;
      const Metrics metrics = simulator.run(errors, &attempts);
      REQUIRE(validate(instance, instance.failures, attempts, false, true));
      REQUIRE(metrics.makespan >= metrics.lower_bound * (1 - 1e-12));
      REQUIRE(metrics.makespan <= metrics.guarantee * (1 + 1e-12));
      if (!course.rolling || course.rolling->patience != 0) continue;
      // The watchdog fires when the first attempts end: nothing starts before the machine is empty.
      double first_end = attempts.front().end, empty = 0, next = metrics.makespan;
      for (const Attempt& it : attempts) first_end = std::min(first_end, it.end);
      for (const Attempt& it : attempts) {
        if (it.start < first_end) {
          empty = std::max(empty, it.end);
        } else {
          next = std::min(next, it.start);
        }
      }
      REQUIRE(next >= empty);
      fired += next < metrics.makespan ? 1 : 0;
    }
  }
  CHECK(fired > 500);
}

TEST_CASE("rolling: candidates change neither with the draw nor with the order of runs") {
  const Instance instance = generate({.jobs = 60, .processors = 900}, 3, 0);
  const PreparedInstance prepared(instance);
  const auto rule = strategy("rolling", instance);
  Simulator once(prepared, *rule), twice(prepared, *rule);
  std::vector<std::vector<std::int64_t>> failures(4);
  for (std::uint64_t k = 0; k < failures.size(); ++k) {
    failures[k] = errors_of(prepared, {.purpose = Purpose::failures, .scenario = k}).failures();
  }
  ErrorRealisation errors;
  std::vector<double> forwards, backwards;
  for (std::size_t k = 0; k < failures.size(); ++k) {
    errors.fix(failures[k]);
    forwards.push_back(once.run(errors).makespan);
    errors.fix(failures[failures.size() - 1 - k]);
    backwards.push_back(twice.run(errors).makespan);
  }
  std::ranges::reverse(backwards);
  CHECK(forwards == backwards);
}

TEST_CASE("rolling: close to the bound at the default point, and closer where nothing fails") {
  for (std::size_t family = 0; family < kFamilies.size(); ++family) {
    CAPTURE(std::string(kFamilies[family]));
    const auto model = static_cast<Family>(family);
    CHECK(sample({.model = model}, "rolling", 5, 3, 4).mean <= 1.15);
    // Jobs get 15 processors on average. Where all run at once and are as long as they are wide, rounding up costs 1 in 30.
    const bool is_rounded = model == Family::roofline || model == Family::communication;
    CHECK(sample({.model = model, .error_rate = 0}, "rolling", 5, 1, 1).worst <=
          (is_rounded ? 1.04 : 1.02));
  }
}

TEST_CASE("rolling: where nothing fails, few processors for each job cost little") {
  for (const Family model : {Family::roofline, Family::communication, Family::amdahl}) {
    const GeneratorParameters point{.model = model, .processors = 1000, .error_rate = 0};
    const double fit = sample(point, "batch-fit", 2, 1, 1).mean;
    const double found = sample(point, "rolling", 2, 1, 1).mean;
    CHECK(found <= (model == Family::amdahl ? 1.17 : 1.05));
    if (model != Family::roofline) CHECK(found <= 0.9 * fit);
  }
}

TEST_CASE("rolling: where another rule is better, it is taken") {
  // Roofline jobs lose nothing by their full width.
  const GeneratorParameters point{.model = Family::roofline, .jobs = 20, .processors = 100};
  const double fit = sample(point, "batch-fit", 2, 4, 6).mean;
  CHECK(sample(point, "rolling", 2, 4, 6).mean <= fit + 0.02);
  CHECK(sample(point, kUntried, 2, 4, 6).mean > fit + 0.02);
}

}  // namespace holdfast::moldable
