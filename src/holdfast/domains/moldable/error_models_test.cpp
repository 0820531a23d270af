// Errors that depend on the processors of an attempt.
#include "holdfast/domains/moldable/simulate.hpp"
#include "holdfast/domains/moldable/test_jobs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace holdfast::moldable {
namespace {

constexpr const char* kStrategies[] = {
    "lpa",     "lpa-ratio:priority=la",    "min-time", "min-area", "batch", "batch-fit",
    "rolling", "rolling:theta=1.5:cap=0.2"};

Instance random_problem(Stream& random, ErrorModel model, std::int64_t jobs,
                        std::int64_t processors) {
  Instance out = random_instance(random, {.jobs = jobs, .processors = processors});
  out.error_model = model;
  out.error_rate = std::pow(10.0, random.uniform(-4.5, -2.5));
  return out;
}

void check_random_problems(std::uint64_t count) {
  for (const ErrorModel model : {ErrorModel::area, ErrorModel::fail_stop}) {
    int failed = 0, met = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
      CAPTURE(k);
      Stream random({.instance = k});
      const Instance instance =
          random_problem(random, model, random.integer(1, 12), random.integer(1, 20));
      REQUIRE(check(instance).has_value());
      for (const char* text : kStrategies) {
        CAPTURE(text);
        const Run one = run(instance, text, {.purpose = Purpose::failures, .scenario = k});
        REQUIRE(one.metrics.makespan >= one.metrics.lower_bound * (1 - 1e-12));
        REQUIRE(one.metrics.makespan <= one.metrics.guarantee * (1 + 1e-12));
        failed += static_cast<int>(one.attempts.size() - instance.size());
        met += one.metrics.makespan <= one.metrics.lower_bound * (1 + 1e-9) ? 1 : 0;
      }
    }
    CHECK(failed > static_cast<int>(count));
    CHECK(met > 0);
  }
}

/// The best makespan of a few jobs whose strikes are given, over all schedules.
class Search {
 public:
  explicit Search(const Instance& instance) : instance_{instance}, made_(instance.size(), 0) {}

  double best() {
    step(0, 0, instance_.processors);
    return best_;
  }

 private:
  struct Running {
    std::size_t job;
    std::int64_t processors;
    double end;
    bool fails;
  };

  // Decides about the waiting jobs from `job` on; then goes on to the next end.
  void step(double now, std::size_t job, std::int64_t free) {
    if (now >= best_) return;
    if (job == instance_.size()) return advance(now, free);
    step(now, job + 1, free);
    const bool waits =
        made_[job] >= 0 && std::ranges::find(running_, job, &Running::job) == running_.end();
    if (!waits) return;
    const auto& strikes = instance_.strikes[job];
    const auto attempt = static_cast<std::size_t>(made_[job]);
    for (std::int64_t p = 1; p <= std::min(free, instance_.jobs[job].limit(free)); ++p) {
      double time = instance_.jobs[job].time(p);
      const auto width = static_cast<double>(p);
      const bool fails = attempt < strikes.size() && width * time > strikes[attempt];
      if (fails && instance_.error_model == ErrorModel::fail_stop) time = strikes[attempt] / width;
      running_.push_back({job, p, now + time, fails});
      step(now, job + 1, free - p);
      running_.pop_back();
    }
  }

  void advance(double now, std::int64_t free) {
    if (running_.empty()) {
      if (std::ranges::all_of(made_, [](std::int64_t made) { return made < 0; })) best_ = now;
      return;
    }
    const auto first = std::ranges::min_element(running_, {}, &Running::end);
    const Running ended = *first;
    const std::vector<Running> before = running_;
    const std::int64_t made = made_[ended.job];
    running_.erase(first);
    made_[ended.job] = ended.fails ? made + 1 : -1;
    step(ended.end, 0, free + ended.processors);
    made_[ended.job] = made;
    running_ = before;
  }

  const Instance& instance_;
  std::vector<std::int64_t> made_;  // attempts that failed; negative: done
  std::vector<Running> running_;
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace

TEST_CASE("error models: every strategy obeys the model, 200 random problems of each") {
  check_random_problems(200);
}

TEST_CASE("error models: every strategy obeys the model, 10 000 random problems of each" *
          doctest::test_suite("thorough")) {
  check_random_problems(10'000);
}

TEST_CASE("error models: no schedule of two jobs ends before the bound, no strategy before all") {
  int gaps = 0;
  for (std::uint64_t k = 0; k < 400; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    const ErrorModel model = random.chance(0.5) ? ErrorModel::area : ErrorModel::fail_stop;
    Instance instance = random_problem(random, model, 2, random.integer(1, 3));
    for (const Speedup& job : instance.jobs) {
      auto& strikes = instance.strikes.emplace_back();
      for (std::int64_t n = random.integer(0, 2); n > 0; --n) {
        strikes.push_back(job.sequential_time() * random.uniform(0.2, 2));
      }
    }
    REQUIRE(check(instance).has_value());
    const double best = Search(instance).best();
    for (const char* text : kStrategies) {
      CAPTURE(text);
      const Run one = run(instance, text);
      REQUIRE(one.metrics.lower_bound <= best * (1 + 1e-12));
      REQUIRE(one.metrics.makespan >= best * (1 - 1e-12));
      gaps += one.metrics.makespan > best * (1 + 1e-9) ? 1 : 0;
    }
  }
  CHECK(gaps > 400);  // the search finds more than the strategies do
}

TEST_CASE("error models: the mean makespan of one job is the closed form") {
  // 12 s on 1 processor, 1 s + 11 s / p on more; 4 processors take 15 processor-seconds.
  Instance instance;
  instance.processors = 4;
  instance.jobs = {Speedup::amdahl_of_parts(11, 1)};
  instance.given = {{4}};
  instance.error_rate = 0.08;
  for (const ErrorModel model : {ErrorModel::area, ErrorModel::fail_stop}) {
    instance.error_model = model;
    const double errors = 0.08 * 15;
    const double expected =
        3.75 * (model == ErrorModel::area ? std::exp(errors) : std::expm1(errors) / errors);
    const auto [mean, error] = mean_makespan(instance, "as-given", 20'000);
    CHECK(std::fabs(mean - expected) < 4 * error);
    CHECK(error < 0.01 * expected);
  }
}

TEST_CASE("error models: errors that hit any attempt are failures that were counted") {
  for (std::uint64_t k = 0; k < 200; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    Instance counted = random_instance(
        random,
        {.jobs = random.integer(1, 12), .processors = random.integer(1, 20), .failures = true});
    Instance struck = counted;
    struck.error_model = ErrorModel::area;
    struck.failures.clear();
    for (const std::int64_t failures : counted.failures) {
      struck.strikes.emplace_back(static_cast<std::size_t>(failures), 1e-9);
    }
    for (const char* text : kStrategies) {
      CAPTURE(text);
      const Run one = run(counted, text), other = run(struck, text);
      REQUIRE(one.metrics.makespan == other.metrics.makespan);
      REQUIRE(one.failures == other.failures);
      REQUIRE(other.metrics.lower_bound == doctest::Approx(one.metrics.lower_bound).epsilon(1e-12));
    }
  }
}

TEST_CASE("error models: without errors all of them are the same") {
  for (std::uint64_t k = 0; k < 100; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    Instance instance = random_instance(
        random, {.jobs = random.integer(1, 12), .processors = random.integer(1, 20)});
    for (const char* text : kStrategies) {
      CAPTURE(text);
      CAPTURE(std::string(text));
      instance.error_model = ErrorModel::work;
      const Metrics work = run(instance, text).metrics;
      instance.error_model = k % 2 == 0 ? ErrorModel::area : ErrorModel::fail_stop;
      const Metrics other = run(instance, text).metrics;
      REQUIRE(work.makespan == other.makespan);
      REQUIRE(work.lower_bound == other.lower_bound);
      REQUIRE(work.guarantee == other.guarantee);
      // A rate so small that nothing ever fails changes no allocation.
      instance.error_rate = 1e-30;
      const Metrics rare = run(instance, text).metrics;
      instance.error_rate = 0;
      REQUIRE(rare.makespan == doctest::Approx(work.makespan).epsilon(1e-9));
    }
  }
}

TEST_CASE("error models: more processors than make the expected time least are never taken") {
  Instance instance;
  instance.processors = 1000;
  instance.jobs = {Speedup::amdahl(1000, 0.1)};
  instance.error_model = ErrorModel::area;
  instance.error_rate = 1e-3;
  // The derivative of ln(900 / p + 100) + (900 + 100 p) / 1000 is 0 at p = (-9 + sqrt(81 + 360)) / 2 = 6.
  const Run one = run(instance, "min-time");
  CHECK(one.attempts.front().processors == 6);
  instance.given = {{1000}};
  const PreparedInstance prepared(instance);
  const auto rule = strategy("as-given", instance);  // nobody corrects what is given
  ErrorRealisation errors = errors_of(prepared, {.purpose = Purpose::failures});
  Simulator(prepared, *rule).run(errors);  // e^100 attempts: given up
  CHECK(errors.strikes()->is_hopeless());
}

}  // namespace holdfast::moldable
