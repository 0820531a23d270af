// Jobs that are released over time.
#include "holdfast/domains/moldable/optimum.hpp"
#include "holdfast/domains/moldable/strategies/makers.hpp"
#include "holdfast/domains/moldable/test_jobs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace holdfast::moldable {
namespace {

constexpr const char* kOnline[] = {"lpa",     "lpa-ratio:priority=la",    "min-time", "min-area",
                                   "rolling", "rolling:theta=1.5:cap=0.2"};

// Returns jobs that are released within about the time that the machine needs for them.
Instance random_arrivals(Stream& random, const RandomShape& shape) {
  Instance out = random_instance(random, shape);
  double area = 0;
  for (const Limits& limit : limits(out)) area += limit.area;
  const double most = 2 * area / static_cast<double>(out.processors);
  for (std::size_t job = 0; job < out.size(); ++job) {
    out.releases.push_back(random.chance(0.3) ? 0.0 : std::floor(random.uniform(0, most)));
  }
  return out;
}

void check_arrivals(std::uint64_t count) {
  int met = 0, waited = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    CAPTURE(k);
    Stream random({.instance = k, .entity = 2});
    Instance instance = random_arrivals(random, {.jobs = random.integer(1, 12),
                                                 .processors = random.integer(1, 20),
                                                 .failures = k % 3 == 0});
    if (k % 3 != 0) {
      instance.error_model = k % 3 == 1 ? ErrorModel::area : ErrorModel::fail_stop;
      instance.error_rate = std::pow(10.0, random.uniform(-4.5, -2.5));
    }
    REQUIRE(check(instance).has_value());
    for (const char* text : kOnline) {
      CAPTURE(text);
      const Run one = run(instance, text, {.purpose = Purpose::failures, .scenario = k});
      REQUIRE(one.metrics.makespan >= one.metrics.lower_bound * (1 - 1e-12));
      REQUIRE(one.metrics.makespan <= one.metrics.guarantee * (1 + 1e-12));
      met += one.metrics.makespan <= one.metrics.lower_bound * (1 + 1e-9) ? 1 : 0;
      for (const Attempt& attempt : one.attempts) {
        waited += attempt.number == 1 && attempt.start > instance.releases[attempt.job] ? 1 : 0;
      }
    }
  }
  CHECK(met > 0);
  CHECK(waited > static_cast<int>(count));
}

}  // namespace

TEST_CASE("releases: every strategy obeys the model, 200 random problems") {
  check_arrivals(200);
}

TEST_CASE("releases: every strategy obeys the model, 10 000 random problems" *
          doctest::test_suite("thorough")) {
  check_arrivals(10'000);
}

TEST_CASE("releases: no strategy ends before the optimum, which the bound never exceeds") {
  int exact = 0;
  for (std::uint64_t k = 0; k < 200; ++k) {
    CAPTURE(k);
    Stream random({.instance = k, .entity = 3});
    const Instance instance = random_arrivals(random, {.jobs = random.integer(1, 3),
                                                       .processors = random.integer(1, 3),
                                                       .failures = random.chance(0.3)});
    const auto best = optimum(instance, 1'000'000);
    if (!best) continue;  // many failures
    REQUIRE(validate(instance,
                     std::vector<std::int64_t>(instance.failures.empty()
                                                   ? std::vector<std::int64_t>(instance.size(), 0)
                                                   : instance.failures),
                     *best, false, true));
    double makespan = 0;
    for (const Attempt& attempt : *best) makespan = std::max(makespan, attempt.end);
    const double bound =
        lower_bound(limits(instance), instance.processors, instance.failures, instance.releases);
    REQUIRE(bound <= makespan * (1 + 1e-12));
    exact += bound >= makespan * (1 - 1e-12) ? 1 : 0;
    if (instance.size() == 1) REQUIRE(bound >= makespan * (1 - 1e-12));
    for (const char* text : kOnline) {
      CAPTURE(text);
      REQUIRE(run(instance, text).metrics.makespan >= makespan * (1 - 1e-12));
    }
  }
  CHECK(exact > 20);
}

TEST_CASE("releases: all at 0 change nothing, and all at one time shift the schedule") {
  for (std::uint64_t k = 0; k < 100; ++k) {
    CAPTURE(k);
    Stream random({.instance = k, .entity = 4});
    const Instance plain = random_instance(
        random,
        {.jobs = random.integer(1, 12), .processors = random.integer(1, 20), .failures = true});
    Instance at_zero = plain, later = plain;
    at_zero.releases.assign(plain.size(), 0.0);
    later.releases.assign(plain.size(), 100.0);
    // Of power laws and tables, rolling has another fall-back where jobs come over time.
    const bool is_proven = std::ranges::all_of(plain.jobs, [](const Speedup& job) {
      return job.model() != SpeedupModel::power && job.model() != SpeedupModel::table;
    });
    for (const char* text : kOnline) {
      CAPTURE(text);
      if (!is_proven && std::string(text).starts_with("rolling")) continue;
      const std::string rule = std::string(text) == "rolling" ? "rolling:theta=1.2" : text;
      const Metrics here = run(plain, rule).metrics;
      REQUIRE(run(at_zero, rule).metrics.makespan == here.makespan);
      REQUIRE(run(at_zero, rule).metrics.lower_bound == here.lower_bound);
      const Metrics then = run(later, rule).metrics;
      REQUIRE(then.lower_bound == doctest::Approx(100 + here.lower_bound).epsilon(1e-12));
      if (rule.starts_with("rolling")) continue;  // its first deadline is found from another guess
      REQUIRE(then.makespan == doctest::Approx(100 + here.makespan).epsilon(1e-12));
    }
  }
}

TEST_CASE("releases: after the watchdog, what is released later is held back too") {
  const auto fall_back = lpa_rule();
  for (std::uint64_t k = 0; k < 200; ++k) {
    CAPTURE(k);
    Stream random({.instance = k, .entity = 5});
    const Instance instance = random_arrivals(
        random,
        {.jobs = random.integer(1, 12), .processors = random.integer(1, 20), .failures = true});
    const PreparedInstance prepared(instance);
    Simulator simulator(prepared.state(prepared.all),
                        {.rolling = RollingRules{.patience = 0}, .fall_back = fall_back.get()});
    ErrorRealisation errors = errors_of(prepared, {});
    std::vector<Attempt> attempts;
    const Metrics metrics = simulator.run(errors, &attempts);
    const Status valid = validate(instance, errors.failures(), attempts, false, true);
    if (!valid) FAIL(valid.error().text());
    REQUIRE(metrics.makespan <= metrics.guarantee * (1 + 1e-12));
  }
}

TEST_CASE("releases: batches need all jobs at the start") {
  Instance instance;
  instance.processors = 4;
  instance.jobs = {Speedup::roofline(10, 2), Speedup::roofline(10, 2)};
  instance.releases = {0, 5};
  const auto table = strategies();
  for (const char* text : {"batch", "batch-fit"}) {
    const auto made = make_strategy(parse_strategy(text, table).value(), instance);
    REQUIRE(!made.has_value());
    CHECK(made.error().where == "/jobs");
  }
  CHECK(run(instance, "rolling").metrics.makespan == 10);
  CHECK(run(instance, "lpa").metrics.makespan == 10);
  instance.releases = {0, -1};
  CHECK(check(instance).error().where == "/jobs/1/release");
}

}  // namespace holdfast::moldable
