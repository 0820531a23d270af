#include "holdfast/algorithms/optimal_schedule.hpp"

#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace holdfast {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

std::vector<SearchTask> random_tasks(Stream& random, std::int64_t processors) {
  std::vector<SearchTask> tasks(static_cast<std::size_t>(random.integer(1, 4)));
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    for (std::int64_t p = 0; p < processors; ++p) {
      tasks[t].times.push_back(static_cast<double>(random.integer(1, 9)));
    }
    for (std::size_t parent = 0; parent < t; ++parent) {
      if (random.chance(0.3)) tasks[t].parents.push_back(parent);
    }
    tasks[t].kind = t;
  }
  return tasks;
}

// Every order and every allocation, each task at the earliest time at which it fits among those
// before it, gaps included.
double by_enumeration(std::int64_t processors, const std::vector<SearchTask>& tasks) {
  struct Placed {
    double start, end;
    std::int64_t processors;
  };
  std::vector<std::size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  double best = kNone;
  const auto fits = [&](const std::vector<Placed>& placed, double start, double end,
                        std::int64_t p) {
    std::vector<double> times{start};
    for (const Placed& other : placed) times.push_back(other.start);
    return std::ranges::all_of(times, [&](double at) {
      if (at < start || (at >= end && at != start)) return true;
      std::int64_t used = p;
      for (const Placed& o : placed) used += o.start <= at && at < o.end ? o.processors : 0;
      return used <= processors;
    });
  };
  do {
    std::vector<std::int64_t> allocation(tasks.size(), 1);
    for (;;) {
      std::vector<Placed> placed;
      std::vector<double> ends(tasks.size(), kNone);
      double makespan = 0;
      for (const std::size_t task : order) {
        const std::int64_t p = allocation[task];
        const double time = tasks[task].times[static_cast<std::size_t>(p - 1)];
        double ready = tasks[task].release;
        for (const std::size_t parent : tasks[task].parents) ready = std::max(ready, ends[parent]);
        if (ready == kNone) {
          makespan = kNone;
          break;
        }
        std::vector<double> starts{ready};
        for (const Placed& other : placed) {
          if (other.end > ready) starts.push_back(other.end);
        }
        std::ranges::sort(starts);
        for (const double start : starts) {
          if (!fits(placed, start, start + time, p)) continue;
          placed.push_back({start, start + time, p});
          ends[task] = start + time;
          makespan = std::max(makespan, ends[task]);
          break;
        }
      }
      best = std::min(best, makespan);
      std::size_t digit = 0;
      while (digit < allocation.size() && allocation[digit] == processors) allocation[digit++] = 1;
      if (digit == allocation.size()) break;
      ++allocation[digit];
    }
  } while (std::ranges::next_permutation(order).found);
  return best;
}

}  // namespace

TEST_CASE("optimal schedule: equals the best of all orders and allocations") {
  for (std::uint64_t k = 0; k < 150; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    const std::int64_t processors = random.integer(1, 3);
    auto tasks = random_tasks(random, processors);
    if (k % 2 == 1) {
      for (SearchTask& task : tasks) task.release = static_cast<double>(random.integer(0, 12));
    }
    const auto found = optimal_schedule(processors, tasks, kNone, 1'000'000);
    REQUIRE(found.has_value());
    REQUIRE(found->makespan == by_enumeration(processors, tasks));
    REQUIRE(found->tasks.size() == tasks.size());
    // A known schedule as short as that leaves nothing to find.
    const auto none = optimal_schedule(processors, tasks, found->makespan, 1'000'000);
    REQUIRE(none->makespan == found->makespan);
    REQUIRE(none->tasks.empty());
  }
}

TEST_CASE("optimal schedule: alike tasks are tried once") {
  // Seven alike tasks: 5040 orders are one.
  const std::vector<SearchTask> tasks(7, SearchTask{{4, 2.5}, {}, 0});
  const auto found = optimal_schedule(2, tasks, kNone, 200'000);
  REQUIRE(found.has_value());
  CHECK(found->makespan == 14.5);  // six on one processor each, by pairs, and one on both
}

TEST_CASE("optimal schedule: gives up when told to") {
  const std::vector<SearchTask> tasks(6, SearchTask{{4, 2.5}, {}, 0});
  CHECK(!optimal_schedule(2, tasks, kNone, 5).has_value());
}

}  // namespace holdfast
