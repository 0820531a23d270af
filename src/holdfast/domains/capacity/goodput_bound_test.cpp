#include "holdfast/domains/capacity/goodput_bound.hpp"

#include "holdfast/domains/capacity/testing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace holdfast;
using namespace holdfast::capacity;

namespace {

std::int64_t bound_of(const Instance& instance) {
  return useful_bound(instance, tasks_of(instance));
}

Instance small_instance(std::uint64_t seed, std::int64_t most_jobs, std::int64_t longest) {
  Stream stream({.seed = seed});
  std::vector<Step> alive;
  const std::int64_t end = stream.integer(5, 4 * longest);
  for (std::int64_t time = 0; time < end; time += stream.integer(1, longest))
    alive.push_back({time, stream.integer(1, 3)});
  Instance out = testing::machines_of(std::move(alive), end);
  const std::int64_t jobs = stream.integer(1, most_jobs);
  for (std::int64_t i = 0; i < jobs; ++i) {
    testing::add_job(out, stream.integer(-longest / 2, end - 1), stream.integer(1, 4),
                     stream.integer(1, longest), stream.uniform());
  }
  return out;
}

// Returns the most useful work that the jobs can do on machine 0. It tries all ways to start each of them or to leave it out,
// which takes small instances.
std::int64_t best_on_one_machine(const Instance& instance, std::span<const Task> tasks,
                                 std::vector<std::int64_t>& busy, std::size_t next) {
  if (next == tasks.size()) return 0;
  const Task& task = tasks[next];
  std::int64_t best = best_on_one_machine(instance, tasks, busy, next + 1);  // left out
  for (std::int64_t start = task.arrival; start < instance.end; ++start) {
    const std::int64_t end = std::min(start + task.length, instance.end);
    bool has_room = true;
    for (std::int64_t t = start; t < end; ++t)
      has_room = has_room && busy[static_cast<std::size_t>(t)] + task.cores <= instance.cores;
    if (!has_room) continue;
    for (std::int64_t t = start; t < end; ++t) busy[static_cast<std::size_t>(t)] += task.cores;
    best = std::max(
        best, task.cores * (end - start) + best_on_one_machine(instance, tasks, busy, next + 1));
    for (std::int64_t t = start; t < end; ++t) busy[static_cast<std::size_t>(t)] -= task.cores;
  }
  return best;
}

int beyond_bound(std::uint64_t first, std::uint64_t instances) {
  int beyond = 0;
  for (std::uint64_t seed = first; seed < first + instances; ++seed) {
    Instance instance = small_instance(seed, 20, 30);
    if (seed % 3 == 0) instance.profile = Profile::author;
    const std::int64_t bound = bound_of(instance);
    for (const char* strategy : {"first-fit-aware", "first-fit-unaware", "target-stretch",
                                 "target-asap", "packed-target-asap"}) {
      const testing::Run run = testing::run_of(instance, strategy, seed);
      if (run.metrics.useful > bound) ++beyond;
    }
  }
  return beyond;
}

}  // namespace

TEST_CASE("goodput bound: the capacity, the work, or the work that came in time") {
  // 4 cores; 100 s alive on two machines, 50 s on one: 1000 core-seconds.
  Instance instance = testing::machines_of({{0, 2}, {100, 1}}, 150);
  CHECK(bound_of(instance) == 0);
  testing::add_job(instance, 0, 4, 60);
  CHECK(bound_of(instance) == 240);
  // More than can be done: the capacity.
  for (int i = 0; i < 10; ++i) testing::add_job(instance, 0, 4, 150);
  CHECK(bound_of(instance) == 1000);
  // All of it comes at 100 s: one machine is left, for 50 s.
  for (Job& job : instance.jobs) job.release = 100;
  CHECK(bound_of(instance) == 200);
  // 240 came before.
  instance.jobs[0].release = 0;
  CHECK(bound_of(instance) == 440);
  // A job that comes 10 s before the end counts for at most 10 s.
  instance.jobs = {{"late", 140, 3, 1000, 0.5}};
  CHECK(bound_of(instance) == 30);
}

TEST_CASE("goodput bound: no schedule of a few jobs exceeds it, and most best ones meet it") {
  int met = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Instance instance = small_instance(seed, 3, 6);
    instance.alive = {{0, 1}};
    instance.machines = instance.safe_machines = 1;
    const std::vector<Task> tasks = tasks_of(instance);
    std::vector<std::int64_t> busy(static_cast<std::size_t>(instance.end), 0);
    const std::int64_t best = best_on_one_machine(instance, tasks, busy, 0);
    CAPTURE(seed);
    REQUIRE(best <= bound_of(instance));
    if (best == bound_of(instance)) ++met;
  }
  MESSAGE(met << " of 200 instances: the best schedule meets the bound");
  CHECK(met > 50);
}

TEST_CASE("goodput bound: no strategy exceeds it, 300 random instances") {
  CHECK(beyond_bound(1, 300) == 0);
}

TEST_CASE("goodput bound: no strategy exceeds it, 10 000 random instances" *
          doctest::test_suite("thorough")) {
  CHECK(beyond_bound(1000, 10'000) == 0);
}
