#include "holdfast/domains/taskgraph/strategies/earliest_completion.hpp"

#include "holdfast/domains/taskgraph/testing.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace holdfast::taskgraph {
namespace {

// The definition: every number of processors, free times sorted one by one.
std::int64_t by_scan(const Speedup& task, std::vector<double> free_times, double now,
                     std::int64_t processors) {
  std::sort(free_times.begin(), free_times.end());
  const std::int64_t fastest = task.fastest(processors);
  const auto completion = [&](std::int64_t p) {
    return std::max(now, free_times[static_cast<std::size_t>(p - 1)]) + task.time(p);
  };
  double earliest = std::numeric_limits<double>::infinity();
  for (std::int64_t p = 1; p <= fastest; ++p) earliest = std::min(earliest, completion(p));
  std::int64_t p = 1;
  while (!(completion(p) <= earliest * (1 + 1e-12))) ++p;
  return p;
}

}  // namespace

TEST_CASE("ect: by hand") {
  Instance instance;
  instance.processors = 4;
  const EarliestCompletion ect(instance);
  FreeTimes free_times(4);
  free_times.take(2, 3.0);  // free: 0 0 3 3
  const auto allocate = [&](const Speedup& task, double now) {
    return ect.allocate({.speedup = task, .now = now, .free_times = &free_times});
  };
  // 8 s of work: 1: 8, 2: 4, 3: 3 + 2.67, 4: 3 + 2.
  CHECK(allocate(Speedup::amdahl_of_parts(8, 0), 0) == 2);
  // 16 s: 2: 8, 4: 3 + 4.
  CHECK(allocate(Speedup::amdahl_of_parts(16, 0), 0) == 4);
  // 12 s: 2: 6, 4: 3 + 3, a tie: the fewer.
  CHECK(allocate(Speedup::amdahl_of_parts(12, 0), 0) == 2);
  // At 3 all are free.
  CHECK(allocate(Speedup::amdahl_of_parts(12, 0), 3) == 4);
}

TEST_CASE("ect: the ends of the runs say what every number of processors says") {
  CHECK(rc::check([](std::uint64_t key) {
    Stream random({.instance = key});
    const std::int64_t processors = random.integer(1, 30);
    Instance instance;
    instance.processors = processors;
    const EarliestCompletion ect(instance);
    FreeTimes free_times(processors);
    std::vector<double> each(static_cast<std::size_t>(processors), 0.0);
    double now = 0;
    for (int placed = 0; placed < 40; ++placed) {
      if (random.chance(0.3)) {
        now += static_cast<double>(random.integer(0, 5));
        free_times.forget_before(now);
      }
      Speedup task = testing::random_task(random, testing::kModels[random.integer(0, 3)]);
      if (random.chance(0.1)) {
        std::vector<double> times;
        for (std::int64_t p = 0; p < processors; ++p) times.push_back(random.uniform(1, 10));
        task = Speedup::table(times);
      }
      const std::int64_t p = ect.allocate({.speedup = task, .now = now, .free_times = &free_times});
      RC_ASSERT(p == by_scan(task, each, now, processors));
      std::sort(each.begin(), each.end());
      const double start = std::max(now, each[static_cast<std::size_t>(p - 1)]);
      RC_ASSERT(start == std::max(now, free_times.when_free(p)));
      for (std::int64_t k = 0; k < p; ++k) each[static_cast<std::size_t>(k)] = start + task.time(p);
      free_times.take(p, start + task.time(p));
    }
  }));
}

TEST_CASE("free times: runs stay sorted, distinct and complete") {
  FreeTimes free_times(1'000'000'000);  // as many processors as one likes
  free_times.take(400'000'000, 5);
  free_times.take(600'000'000, 5);  // equal: one run
  REQUIRE(free_times.runs().size() == 1);
  CHECK(free_times.runs()[0].time == 5);
  CHECK(free_times.runs()[0].count == 1'000'000'000);
  free_times.take(1, 7);
  free_times.take(2, 6);
  REQUIRE(free_times.runs().size() == 3);
  CHECK(free_times.runs()[1].time == 6);
  CHECK(free_times.when_free(999'999'998) == 6);
  CHECK(free_times.when_free(1'000'000'000) == 7);
  free_times.forget_before(6.5);
  REQUIRE(free_times.runs().size() == 2);
  CHECK(free_times.runs()[0].time == 6.5);
  CHECK(free_times.runs()[0].count == 999'999'999);
}

}  // namespace holdfast::taskgraph
