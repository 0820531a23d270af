#include "holdfast/domains/cosched/allocation.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/domains/cosched/generator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

using namespace holdfast;
using namespace holdfast::cosched;

namespace {

// The least largest expected time over all allocations, with the running minimum of Eq. 6.
double brute_force(std::span<const TaskTimes> times, std::int64_t processors) {
  double best = std::numeric_limits<double>::infinity();
  const std::function<void(std::size_t, std::int64_t, double)> search =
      [&](std::size_t i, std::int64_t free, double largest) {
        if (i == times.size()) {
          best = std::min(best, largest);
          return;
        }
        double minimum = std::numeric_limits<double>::infinity();
        for (std::int64_t j = 2; j <= free - static_cast<std::int64_t>(2 * (times.size() - i - 1));
             j += 2) {
          minimum = std::min(minimum, times[i].expected(j, 1));
          search(i + 1, free - j, std::max(largest, minimum));
        }
      };
  search(0, processors, 0);
  return best;
}

}  // namespace

TEST_CASE("Algorithm 1 equals brute force on 3000 small instances") {
  Stream stream({.seed = 7});
  for (int trial = 0; trial < 3000; ++trial) {
    const auto n = static_cast<std::size_t>(stream.integer(1, 4));
    Instance instance;
    instance.processors = static_cast<std::int64_t>(2 * n) + 2 * stream.integer(0, 7);
    instance.mtbf = kYear * 0.03 * std::pow(1e4, stream.uniform());
    instance.downtime = stream.chance(0.2) ? 1e7 * stream.uniform() : 60;
    for (std::size_t i = 0; i < n; ++i) {
      instance.tasks.push_back({.id = "",
                                .data = stream.uniform(1000, 2.5e6),
                                .profile = MLogProfile{stream.uniform(0, 0.5)}});
    }
    const auto times = task_times(instance);
    const Allocation allocation = initial_allocation(times, instance.processors);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(allocation[i] >= 2);
      CHECK(allocation[i] % 2 == 0);
      largest = std::max(largest, times[i].expected(allocation[i], 1));
    }
    CHECK(std::accumulate(allocation.begin(), allocation.end(), std::int64_t{0}) <=
          instance.processors);
    const double best = brute_force(times, instance.processors);
    REQUIRE(largest == best);
  }
}

TEST_CASE("without failures a task gets no processors that leave its time as it is") {
  // A time that went through j t(j) / j and back would fall by a rounding error here and there: for a work of 123.456 s
  // on 4 processors, first on 10.
  Stream stream({.seed = 8});
  for (int trial = 0; trial < 300; ++trial) {
    const double work = trial == 0 ? 123.456 : stream.uniform(1, 1e6);
    CAPTURE(work);
    Instance instance;
    instance.processors = 64;
    instance.fault_free = true;
    instance.tasks.push_back({.id = "a", .data = 1000, .profile = Speedup::roofline(work, 4)});
    instance.tasks.push_back({.id = "b", .data = 1000, .profile = Speedup::table({work})});
    const auto times = task_times(instance);
    CHECK(initial_allocation(times, 64) == Allocation{2, 2});  // b cannot gain: nobody grows
    CHECK(initial_allocation(std::span(times).first(1), 64) == Allocation{4});
    // Nor is a free move to more of them worth anything.
    instance.redistribution_unit_cost = 0;
    const TaskTimes free(instance, instance.tasks[0]);
    for (std::int64_t j = 6; j <= 64; j += 2) CHECK(free.moved(4, j, 0.7) == free.expected(4, 0.7));
  }
}

TEST_CASE("shrinking releases the highest processors, growing takes the lowest free ones") {
  Ownership owners(8, 3);
  owners.assign(Allocation{2, 2, 4});
  CHECK(owners.owner(0) == 0);
  CHECK(owners.owner(3) == 1);
  CHECK(owners.owner(4) == 2);
  CHECK(owners.owner(7) == 2);
  owners.assign(Allocation{0, 4, 2});
  CHECK(owners.owner(0) == 1);  // task 1 grows into the pair that task 0 left
  CHECK(owners.owner(2) == 1);
  CHECK(owners.owner(4) == 2);  // task 2 released its highest pair
  CHECK(owners.owner(6) == Ownership::kIdle);
  CHECK(owners.owner(100) == Ownership::kIdle);
}
