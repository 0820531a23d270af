#include "holdfast/inputs/logged_sizes.hpp"

#include "holdfast/base/value.hpp"
#include "holdfast/domains/moldable/generator.hpp"
#include "holdfast/domains/moldable/instance_io.hpp"
#include "holdfast/domains/moldable/test_jobs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace holdfast::moldable {
namespace {

constexpr const char* kData = HOLDFAST_SOURCE_DIR "/examples";

GeneratorParameters parameters_of(const std::string& text) {
  return read_generator(parse_json(text).value(), kData).value();
}

Error refused(const std::string& text) {
  const auto found = read_generator(parse_json(text).value(), kData);
  REQUIRE(!found.has_value());
  return found.error();
}

bool is_near(double found, double expected) {
  return std::fabs(found - expected) <= 1e-12 * expected;
}

// Every rule obeys the model on so many random logs, and none is better than the bound.
void check_rules(std::uint64_t count) {
  for (std::uint64_t k = 0; k < count; ++k) {
    CAPTURE(k);
    Stream random({.instance = k, .entity = 1});
    GeneratorParameters parameters{.model = static_cast<Family>(random.integer(0, 5)),
                                   .jobs = random.integer(1, 12),
                                   .processors = random.integer(1, 24)};
    LoggedSizes log;
    for (std::int64_t job = random.integer(1, 30); job > 0; --job) {
      log.jobs.push_back({random.integer(1, 40), random.uniform(1, 1000)});
    }
    parameters.log = std::make_shared<const LoggedSizes>(std::move(log));
    Instance instance = generate(parameters, k, 0);
    REQUIRE(std::ssize(instance.jobs) == jobs_of(parameters));
    for (std::size_t job = 0; job < instance.size(); ++job) {
      instance.failures.push_back(random.chance(0.4) ? random.integer(0, 3) : 0);
    }
    for (const char* text : {"lpa", "lpa-ratio", "batch", "rolling", "min-area", "as-given"}) {
      CAPTURE(text);
      const Metrics metrics = run(instance, text).metrics;
      REQUIRE(metrics.makespan >= metrics.lower_bound * (1 - 1e-12));
    }
  }
}

}  // namespace

TEST_CASE(
    "logged sizes: a job takes its logged time on its logged processors, whatever the model") {
  for (std::uint64_t k = 0; k < 10'000; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    const std::int64_t machine = random.integer(1, 40);
    const Speedup shape = random_speedup(random, machine, true);
    const LoggedSize size{random.integer(1, machine), random.uniform(1, 1e5)};
    const Speedup job = stretched(shape, size);
    REQUIRE(job.model() == shape.model());
    REQUIRE(is_near(job.time(size.processors), size.seconds));
    // It scales as before: t(p) / t(q) is that of the shape.
    const std::int64_t other = random.integer(1, machine);
    REQUIRE(
        is_near(job.time(other) * shape.time(size.processors), shape.time(other) * size.seconds));
    REQUIRE(job.limit(machine) == shape.limit(machine));
  }
}

TEST_CASE("logged sizes: Amdahl by hand") {
  // 100 s on 4 processors with a sequential tenth of the work: w (0.9 / 4 + 0.1) = 100, so w = 4000 / 13.
  const GeneratorParameters parameters = parameters_of(
      R"({"log": {"sizes": [[100, 4]]}, "processors": 8, "sequential_fraction": 0.1})");
  const Instance instance = generate(parameters, 1, 0);
  REQUIRE(instance.size() == 1);
  CHECK(is_near(instance.jobs[0].time(1), 4000.0 / 13));
  CHECK(is_near(instance.jobs[0].time(4), 100));
  CHECK(is_near(instance.jobs[0].time(8), 4000.0 / 13 * (0.9 / 8 + 0.1)));
  CHECK(instance.given == std::vector<std::vector<std::int64_t>>{{4}});
  CHECK(run(instance, "as-given").metrics.makespan == doctest::Approx(100).epsilon(1e-12));
}

TEST_CASE("logged sizes: a log gives its jobs in order, from a random one on") {
  const GeneratorParameters all = parameters_of(R"({"log": "logs/cluster-jobs.swf", "jobs": 1e6})");
  CHECK(all.processors == 256);
  const Instance whole = generate(all, 1, 0);
  REQUIRE(whole.size() == all.log->jobs.size());
  const GeneratorParameters some =
      parameters_of(R"({"log": {"file": "logs/cluster-jobs.swf"}, "jobs": 20})");
  std::vector<double> firsts;
  for (std::uint64_t k = 0; k < 8; ++k) {
    const Instance few = generate(some, 1, k);
    REQUIRE(few.size() == 20);
    const auto is_first = [&](const LoggedSize& size) {
      return is_near(few.jobs[0].time(size.processors), size.seconds) &&
             few.given[0][0] == size.processors;
    };
    auto at = std::ranges::find_if(all.log->jobs, is_first);
    REQUIRE(at != all.log->jobs.end());
    for (std::size_t job = 0; job < 20; ++job, ++at) {
      CHECK(is_near(few.jobs[job].time(at->processors), at->seconds));
    }
    firsts.push_back(few.jobs[0].time(1));
  }
  std::ranges::sort(firsts);
  CHECK(std::ranges::unique(firsts).begin() - firsts.begin() > 4);
  CHECK(parameters_of(R"({"log": {"file": "logs/cluster-jobs.swf", "longest": "1h"}})")
            .log->jobs.size() < all.log->jobs.size());
}

TEST_CASE("logged sizes: speedups are random, given or fitted") {
  const std::string sizes = R"("log": {"sizes": [[900, 16], [50, 2]]}, "processors": 64)";
  for (const char* model : {"roofline", "communication", "amdahl", "mix-low-com", "mix", "power"}) {
    const Instance drawn =
        generate(parameters_of("{" + sizes + R"(, "model": ")" + model + "\"}"), 3, 1);
    CHECK(is_near(drawn.jobs[0].time(16), 900));
    CHECK(is_near(drawn.jobs[1].time(2), 50));
  }
  const Instance given =
      generate(parameters_of("{" + sizes +
                             R"(, "speedup": {"model": "power", "work": 1, "exponent": 0.5}})"),
               1, 0);
  CHECK(is_near(given.jobs[0].time(1), 3600));
  const GeneratorParameters fitted =
      parameters_of("{" + sizes + R"(, "speedup": "data/speedup.csv"})");
  CHECK(fitted.speedup->model() == SpeedupModel::mix);
  CHECK(is_near(generate(fitted, 1, 0).jobs[1].time(2), 50));
  // Where no field is new, jobs are what they were; a random fraction is drawn even if it is not used.
  const Instance plain = generate({.model = Family::mix, .jobs = 5}, 7, 2);
  const Instance fixed =
      generate({.model = Family::mix, .jobs = 5, .sequential_fraction = 0.25}, 7, 2);
  for (std::size_t job = 0; job < 5; ++job) {
    CHECK(fixed.jobs[job].overhead() == plain.jobs[job].overhead());
    CHECK(fixed.jobs[job].sequential_fraction() == 0.25);
  }
}

TEST_CASE("logged sizes: every rule obeys the model, and none is better than the bound") {
  check_rules(200);
}
TEST_CASE("logged sizes: ten thousand logs" * doctest::test_suite("thorough")) {
  check_rules(10'000);
}

TEST_CASE("logged sizes: a definition reads back, and mistakes are told where they are") {
  const GeneratorParameters once = parameters_of(
      R"({"log": {"file": "logs/cluster-jobs.swf"}, "speedup": {"file": "data/speedup.csv"},
          "error_rate": 0})");
  const Value written = to_value(once);
  CHECK(written.find("log")->find("file") == nullptr);  // contents, not a path
  const GeneratorParameters twice = parameters_of(to_json(written));
  CHECK(to_json(to_value(twice)) == to_json(written));
  CHECK(generate(twice, 5, 3).jobs[4].time(7) == generate(once, 5, 3).jobs[4].time(7));

  CHECK(refused(R"({"log": {"sizes": []}})").where == "/log/sizes");
  CHECK(refused(R"({"log": {"sizes": [[0, 1]]}})").where == "/log/sizes/0/0");
  CHECK(refused(R"({"log": {"sizes": [[1, 0]]}})").where == "/log/sizes/0/1");
  CHECK(refused(R"({"log": {"fil": "x"}})").where.starts_with("/log/fil"));
  CHECK(refused(R"({"log": "nothing.swf"})").field == "/log/file");
  CHECK(refused(R"({"log": "data/speedup.csv"})").field == "/log/file");
  CHECK(refused(R"({"log": {"file": "logs/cluster-jobs.swf", "longest": 1}})").where == "/log");
  CHECK(refused(R"({"speedup": {"model": "power", "work": 1, "exponent": 1}})").where ==
        "/speedup");
  CHECK(refused(R"({"log": {"sizes": [[1e6, 100]]}, "error_rate": 1e-6})").where == "/error_rate");
}

}  // namespace holdfast::moldable
