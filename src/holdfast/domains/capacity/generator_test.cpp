#include "holdfast/domains/capacity/generator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::capacity;

TEST_CASE("V5: the author's generator") {
  GeneratorParameters p{.family = Family::three_types, .profile = Profile::author};
  CHECK(mean_length(p) == 5437);
  const auto jobs = synthetic_jobs(p, Stream(StreamKey{}));
  CHECK(jobs.size() == 60479);
  CHECK(jobs.front().release == 30);
  CHECK(jobs.back().release == 1814370);
  p.jobs = 8000;
  CHECK(mean_length(p) == 13593);
}

TEST_CASE("V4: the walk stays in its range, moves by its step, and is 24 on average") {
  double sum = 0;
  std::int64_t count = 0;
  for (std::uint64_t s = 0; s < 200; ++s) {
    const auto steps = resource_walk({}, Stream({.scenario = s}));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      CHECK(steps[i].machines % 2 == 0);
      CHECK(steps[i].machines >= 16);
      CHECK(steps[i].machines <= 32);
      if (i == 0) continue;
      CHECK(std::abs(steps[i].machines - steps[i - 1].machines) == 2);
      const std::int64_t length = steps[i].time - steps[i - 1].time;
      sum += static_cast<double>(steps[i - 1].machines * length);
      count += length;
    }
  }
  CHECK(sum / static_cast<double>(count) == doctest::Approx(24).epsilon(0.01));
}

TEST_CASE(
    "the author's walk moves in every period except at a bound; a range below 4 has no step") {
  GeneratorParameters p{.profile = Profile::author};
  const auto steps = resource_walk(p, Stream({.scenario = 3}));
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const bool stayed = steps[i].time - steps[i - 1].time > p.period;
    if (stayed) CHECK((steps[i - 1].machines == 16 || steps[i - 1].machines == 32));
  }
  p.machine_range = 3;
  CHECK(resource_walk(p, Stream(StreamKey{})).size() == 1);
}

TEST_CASE("the walk stays within bounds that its steps do not reach exactly (ruling 4.16)") {
  const GeneratorParameters p{.mean_machines = 24, .machine_range = 9};
  for (std::uint64_t s = 0; s < 20; ++s) {
    for (const Step& step : resource_walk(p, Stream({.scenario = s}))) {
      CHECK(step.machines >= 15);
      CHECK(step.machines <= 33);
      CHECK(step.machines % 2 == 0);
    }
  }
}

TEST_CASE("the walk takes the step that is given, and stays within its bounds") {
  for (const Profile profile : {Profile::standard, Profile::author}) {
    for (const std::int64_t step : {1, 3, 8}) {
      const GeneratorParameters p{.walk_step = step, .profile = profile};
      const auto steps = resource_walk(p, Stream({.scenario = 5}));
      std::int64_t most = 0;
      for (std::size_t i = 1; i < steps.size(); ++i) {
        most = std::max(most, std::abs(steps[i].machines - steps[i - 1].machines));
        REQUIRE(steps[i].machines >= 16);
        REQUIRE(steps[i].machines <= 32);
      }
      CHECK(most == step);
    }
  }
  // The default is a quarter of the range.
  const auto with = resource_walk({.walk_step = 2}, Stream({.scenario = 6}));
  const auto without = resource_walk({}, Stream({.scenario = 6}));
  REQUIRE(with.size() == without.size());
  for (std::size_t i = 0; i < with.size(); ++i) CHECK(with[i].machines == without[i].machines);
}

TEST_CASE("jobs have the mean length of the text, 3.5 cores on average, and are released evenly") {
  for (const Family family :
       {Family::uniform, Family::log_scale, Family::log_scale_u, Family::three_types}) {
    const GeneratorParameters p{.family = family};
    CHECK(mean_length(p) == doctest::Approx(26.0 * 24 * 1814400 / 3.5 / 20000));
    double length = 0, cores = 0, count = 0;
    for (std::uint64_t s = 0; s < 5; ++s) {
      const auto jobs = synthetic_jobs(p, Stream({.instance = s}));
      REQUIRE(jobs.size() == 20000);
      CHECK(jobs[7].release == 7 * 1814400 / 20000);
      for (const Job& job : jobs) {
        length += static_cast<double>(job.length);
        cores += static_cast<double>(job.cores);
        ++count;
        CHECK((job.cores == 1 || job.cores == 2 || job.cores == 4 || job.cores == 8));
        CHECK(job.length >= 1);
      }
    }
    // Standard error of the mean of 100 000 draws: at most 0.7 % (log-scale), four of them.
    CHECK(length / count == doctest::Approx(mean_length(p)).epsilon(0.03));
    CHECK(cores / count == doctest::Approx(3.5).epsilon(0.01));
  }
}

TEST_CASE("three types: lengths of 13/27, 39/27 and 117/27 of the mean, in the ratio 9 : 3 : 1") {
  std::map<std::int64_t, int> count;
  const GeneratorParameters p{.family = Family::three_types};
  for (const Job& job : synthetic_jobs(p, Stream(StreamKey{}))) ++count[job.length];
  REQUIRE(count.size() == 3);
  const double mean = mean_length(p);
  auto type = count.begin();
  for (const auto& [parts, share] : {std::pair(13.0, 9.0), {39.0, 3.0}, {117.0, 1.0}}) {
    CHECK(type->first == std::llround(parts / 27 * mean));
    CHECK(type->second == doctest::Approx(20000 * share / 13).epsilon(0.06));
    ++type;
  }
}

TEST_CASE("the same key draws the same instance; scenarios share the jobs, not the walk") {
  const GeneratorParameters p{.jobs = 500};
  const Instance a = generate(p, 7, 1, 0), again = generate(p, 7, 1, 0),
                 other = generate(p, 7, 1, 1);
  REQUIRE(a.jobs.size() == other.jobs.size());
  bool same_walk = a.alive.size() == other.alive.size();
  for (std::size_t i = 0; i < a.jobs.size(); ++i) {
    CHECK(a.jobs[i].length == other.jobs[i].length);
    CHECK(a.jobs[i].length == again.jobs[i].length);
  }
  for (std::size_t i = 0; same_walk && i < a.alive.size(); ++i) {
    same_walk = a.alive[i].machines == other.alive[i].machines;
  }
  CHECK_FALSE(same_walk);
}

TEST_CASE("three-partition: numbers that can be split, and nothing else") {
  for (std::uint64_t s = 0; s < 20; ++s) {
    const auto drawn = partition_numbers(4, Stream({.scenario = s}));
    std::vector<std::int64_t> numbers;
    for (const PlantedNumber& number : drawn) numbers.push_back(number.value);
    auto instance = three_partition(numbers, 2);
    REQUIRE(instance);
    CHECK(instance->alive[1].time == 100);
    CHECK(instance->alive[2].time == 300);
    CHECK(instance->jobs.size() == 12);
    // The schedule of the proof keeps each machine busy until the outage.
    place_triplets(drawn, *instance);
    std::vector<std::int64_t> work(4, 0);
    for (const Instance::Placement& one : instance->given) {
      std::int64_t& done = work[static_cast<std::size_t>(one.machine)];
      CHECK(one.start == done);
      done += numbers[one.job];
    }
    CHECK(work == std::vector<std::int64_t>(4, 100));
  }
  CHECK(three_partition(std::vector<std::int64_t>{6, 6, 6, 7, 7, 8}, 1)->end == 80);
  CHECK(three_partition(std::vector<std::int64_t>{1, 7, 7, 6, 6, 13}, 1).error().text() ==
        "/numbers: found 1, expected numbers between 5 and 10");
  CHECK(three_partition(std::vector<std::int64_t>{6, 7}, 1).error().text() ==
        "/numbers: found 2 numbers of sum 13, expected 3n numbers whose sum is a multiple of n");
}
