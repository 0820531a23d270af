#include "holdfast/domains/capacity/placement/availability_profile.hpp"
#include "holdfast/domains/capacity/placement/lane.hpp"
#include "holdfast/domains/capacity/placement/openings.hpp"
#include "holdfast/domains/capacity/placement/queue.hpp"
#include "holdfast/domains/capacity/placement/staircases.hpp"
#include "holdfast/domains/capacity/placement/start_bounds.hpp"
#include "holdfast/domains/capacity/placement/task_set.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

using namespace holdfast;
using namespace holdfast::capacity;

TEST_CASE(
    "availability profile: earliest start and free cores as a second by second table gives them") {
  CHECK(rc::check([] {
    constexpr std::int64_t kCores = 6, kEnd = 120;
    std::vector<std::int64_t> free(kEnd, kCores);
    AvailabilityProfile availability;
    availability.reset(0, kCores);
    std::int64_t now = 0;
    const auto fits = [&](std::int64_t start, std::int64_t cores, std::int64_t length) {
      for (std::int64_t t = start; t < std::min(kEnd, start + length); ++t) {
        if (free[static_cast<std::size_t>(t)] < cores) return false;
      }
      return true;
    };
    for (int i = 0; i < 25; ++i) {
      now += *rc::gen::inRange<std::int64_t>(0, 3);
      const auto cores = *rc::gen::inRange<std::int64_t>(1, kCores + 1);
      const auto length = *rc::gen::inRange<std::int64_t>(1, 12);
      RC_ASSERT(availability.free_at(now) == free[static_cast<std::size_t>(now)]);
      std::int64_t expected = now;
      while (!fits(expected, cores, length)) ++expected;
      RC_ASSERT(availability.earliest(now, cores, length) == expected);
      RC_ASSERT(availability.earliest(now, cores, length, now + 4) == std::min(expected, now + 4));
      const auto shorter = *rc::gen::inRange<std::int64_t>(1, length + 1);
      const auto not_before = now + *rc::gen::inRange<std::int64_t>(0, 20);
      std::int64_t first = now, later = not_before;
      while (!fits(first, cores, shorter)) ++first;
      while (!fits(later, cores, length)) ++later;
      const AvailabilityProfile::Starts starts =
          availability.earliest_two(now, cores, shorter, length, not_before);
      RC_ASSERT(starts.shorter == first);
      RC_ASSERT(starts.start == later);
      const AvailabilityProfile::First found = availability.first_from(not_before, cores, length);
      RC_ASSERT(found.start == later);
      for (std::int64_t t = not_before; t < later; ++t)
        RC_ASSERT(!fits(t, cores, std::max<std::int64_t>(1, found.needs)));
      if (expected + length >= kEnd) return;
      availability.reserve(expected, expected + length, cores);
      for (std::int64_t t = expected; t < expected + length; ++t) {
        free[static_cast<std::size_t>(t)] -= cores;
      }
    }
  }));
}

// Cores are taken here and there on [0, 90).
static AvailabilityProfile random_availability(std::int64_t cores_of_machine) {
  AvailabilityProfile availability;
  availability.reset(0, cores_of_machine);
  const auto arbitrary = [](std::int64_t most) { return *rc::gen::inRange<std::int64_t>(1, most); };
  for (int i = 0; i < 8; ++i) {
    const std::int64_t start = arbitrary(60), cores = arbitrary(9), length = arbitrary(30);
    if (availability.is_free(start, cores, length))
      availability.reserve(start, start + length, cores);
  }
  return availability;
}

TEST_CASE("queue: no job starts later on the machine than the work before it allows") {
  CHECK(rc::check([] {
    constexpr std::int64_t kCores = 8;
    AvailabilityProfile availability = random_availability(kCores);
    Queue queue;
    for (std::uint32_t i = 0; i < 20; ++i) {
      const auto cores = *rc::gen::inRange<std::int32_t>(1, kCores + 1);
      const auto length = *rc::gen::inRange<std::int64_t>(1, 30);
      const std::int64_t start = availability.earliest(0, cores, length);
      if (*rc::gen::inRange(0, 8) == 0) queue.forget_end();
      if (!queue.has_end() && queue.empty()) queue.set_end(availability.end_of(kCores, 0));
      if (queue.has_end()) RC_ASSERT(!queue.surely_starts_by(start - 1, cores, kCores));
      queue.push({.length = length, .task = i, .cores = cores, .place = {}}, 0);
      availability.reserve(start, start + length, cores);
      if (*rc::gen::inRange(0, 4) > 0) continue;
      while (!queue.empty()) queue.take(queue.row().first());
    }
  }));
}

TEST_CASE("lane: tells of no task more than was said, and of those settled last all of it") {
  CHECK(rc::check([] {
    constexpr std::int64_t kMachines = 3;
    struct Known {
      Lane::Entry entry;
      std::int64_t not_before;
      std::array<std::int64_t, kMachines> not_before_on = {};
    };
    constexpr std::int64_t kFirst = 5;
    Lane lane(kFirst, kMachines);
    std::vector<Known> known;
    const auto below = [](std::size_t most) { return *rc::gen::inRange<std::size_t>(0, most); };
    for (int i = 0; i < 60; ++i) {
      const auto time = *rc::gen::inRange<std::int64_t>(1, 50);
      const std::size_t what = below(4);
      const std::size_t m = below(kMachines);
      const auto machine = kFirst + static_cast<std::int64_t>(m);
      if (what == 0) {
        if (lane.empty()) known.clear();
        const Lane::Entry entry{.bounds = nullptr,
                                .length = 1000 * time,
                                .task = 0,
                                .cores = 2,
                                .machines = machines_near(kFirst, 1, kFirst + kMachines)};
        known.push_back({.entry = entry, .not_before = time});
        lane.push(entry, time);
      } else if (what == 1 && !known.empty()) {
        const std::size_t at = below(known.size());
        if (!std::exchange(known[at].entry.is_planned, true)) lane.take(at);
      } else if (!known.empty()) {
        const std::size_t until = below(known.size()) + 1;
        const std::int64_t on = what == 2 ? Lane::kAll : machine;
        for (std::size_t at = 0; at < until; ++at) {
          std::int64_t& not_before = what == 2 ? known[at].not_before : known[at].not_before_on[m];
          not_before = std::max(not_before, time);
        }
        lane.settled(until, time, on);
        RC_ASSERT(lane.settled_before(until, on) >= time);
        RC_ASSERT(lane.first_unsettled(time, on) >= until);
      }
      std::int64_t first = kNever, length = 0;
      for (std::size_t at = 0; at < known.size(); ++at) {
        RC_ASSERT(lane.settled_before(at) <= first);
        if (known[at].entry.is_planned) continue;
        RC_ASSERT(lane.settled_at(at) <= known[at].not_before);
        RC_ASSERT(known[at].not_before >= time || lane.first_unsettled(time) <= at);
        const std::int64_t on_machine = std::max(known[at].not_before, known[at].not_before_on[m]);
        RC_ASSERT(lane.settled_at(at, machine) <= on_machine);
        RC_ASSERT(on_machine >= time || lane.first_unsettled(time, machine) <= at);
        first = std::min(first, known[at].not_before);
        length += known[at].entry.length;
      }
      RC_ASSERT(lane.row().wake() <= first);
      RC_ASSERT(lane.length() == length);
    }
  }));
}

TEST_CASE("start bounds: never later than what a search finds") {
  CHECK(rc::check([] {
    std::vector<Task> tasks;
    for (int i = 0; i < 30; ++i) {
      const auto length = *rc::gen::inRange<std::int64_t>(1, 200);
      tasks.push_back({.job = 0,
                       .cores = *rc::gen::inRange<std::int64_t>(1, 9),
                       .length = length,
                       .first_length = length});
    }
    constexpr std::size_t kMachines = 3;
    StartBounds bounds(tasks, kMachines, -5);
    std::vector<AvailabilityProfile> availabilities(kMachines);
    for (AvailabilityProfile& availability : availabilities) availability.reset(0, 8);
    for (const Task& task : tasks) {
      const StartBounds::Place place = bounds.place_of(task.cores, task.length);
      std::int64_t first = 1 << 30;
      std::size_t machine = 0;
      for (std::size_t m = 0; m < kMachines; ++m) {
        const std::int64_t start = availabilities[m].earliest(0, task.cores, task.length);
        RC_ASSERT(bounds.bound(bounds.row(place), static_cast<std::int64_t>(m)) <= start);
        bounds.raise(m, place, start);
        RC_ASSERT(bounds.bound(bounds.row(place), static_cast<std::int64_t>(m)) <= start);
        if (start < first) first = start, machine = m;
      }
      availabilities[machine].reserve(first, first + task.length, task.cores);
    }
    bounds.clear(1);
    RC_ASSERT(bounds.bound(bounds.row(bounds.place_of(8, 200)), 1) < 0);
  }));
}

TEST_CASE("staircases: never later than what a search finds, which may begin there") {
  CHECK(rc::check([] {
    constexpr std::int64_t kCores = 20;  // more numbers of cores than classes
    std::vector<Task> tasks;
    for (int i = 0; i < 80; ++i) {
      const auto length = *rc::gen::inRange<std::int64_t>(1, 60);
      const auto cores = *rc::gen::inRange<std::int64_t>(1, kCores + 1);
      tasks.push_back({.job = 0, .cores = cores, .length = length, .first_length = length});
    }
    const StartBounds classes(tasks, 2, 0);
    Staircases stairs(2, classes.core_classes());
    AvailabilityProfile availability;
    availability.reset(0, kCores);
    for (const Task& task : tasks) {
      const StartBounds::Place place = classes.place_of(task.cores, task.length);
      const Staircases::Known known = stairs.known(1, place, task.length);
      const auto time = *rc::gen::inRange<std::int64_t>(1, 100);
      const std::int64_t late = stairs.late_length(1, place.read_cores, time);
      RC_ASSERT((task.length >= late) == (known.start >= time));
      const std::int64_t start = availability.earliest(0, task.cores, task.length);
      RC_ASSERT(known.start <= start);
      RC_ASSERT(known.length <= task.length);
      const AvailabilityProfile::First found =
          availability.first_from(std::max<std::int64_t>(0, known.start), task.cores, task.length);
      RC_ASSERT(found.start == start);
      RC_ASSERT(found.needs <= task.length);
      stairs.add(1, place, known, std::max(known.length, found.needs), found.start);
      RC_ASSERT(stairs.known(1, place, task.length).start <= start);
      RC_ASSERT(stairs.known(0, place, task.length).start < 0);
      availability.reserve(start, start + task.length, task.cores);
    }
    stairs.clear(1);
    RC_ASSERT(stairs.known(1, classes.place_of(kCores, 60), 60).start < 0);
  }));
}

TEST_CASE("openings: the longest job that starts in time on a machine near by, second by second") {
  CHECK(rc::check([] {
    constexpr std::int64_t kCores = 6, kEnd = 80;
    constexpr std::size_t kMachines = 5;
    const std::vector<Task> tasks = {{.cores = 1, .length = 5, .first_length = 5},
                                     {.cores = 3, .length = 9, .first_length = 9},
                                     {.cores = 6, .length = 9, .first_length = 9}};
    const StartBounds classes(tasks, kMachines, 0);
    std::vector<AvailabilityProfile> availabilities(kMachines);
    for (AvailabilityProfile& availability : availabilities) availability.reset(0, kCores);
    Openings openings(classes, availabilities);
    const auto until = *rc::gen::inRange<std::int64_t>(1, 20);
    const auto used = *rc::gen::inRange<std::int64_t>(1, kMachines + 1);
    const auto distance = *rc::gen::inRange<std::int64_t>(0, kMachines);
    openings.open(0, until, used, distance);
    for (int i = 0; i < 30; ++i) {
      const auto machine = *rc::gen::inRange<std::size_t>(0, kMachines);
      const auto cores = *rc::gen::inRange<std::int64_t>(1, kCores + 1);
      const auto length = *rc::gen::inRange<std::int64_t>(1, 25);
      const std::int64_t start = availabilities[machine].earliest(0, cores, length);
      availabilities[machine].reserve(start, start + length, cores);
      openings.touch(static_cast<std::int64_t>(machine), start);
      if (*rc::gen::inRange(0, 8) == 0) {
        availabilities[machine].reset(0, kCores);
        openings.forget(static_cast<std::int64_t>(machine));
      }
      for (std::size_t k = 0; k < tasks.size(); ++k) {
        const auto near = *rc::gen::inRange<std::int64_t>(0, used);
        const std::int64_t asked = *rc::gen::inRange<std::int64_t>(1, kEnd);
        bool fits = false;
        for (std::int64_t m = std::max<std::int64_t>(0, near - distance);
             m <= std::min(used - 1, near + distance); ++m) {
          for (std::int64_t from = 0; from < until; ++from) {
            fits = fits ||
                   availabilities[static_cast<std::size_t>(m)].is_free(from, tasks[k].cores, asked);
          }
        }
        RC_ASSERT(openings.excludes(k, near, asked) == !fits);
      }
    }
  }));
}

TEST_CASE("task set: lists what it holds in ascending order") {
  CHECK(rc::check([](std::vector<std::uint8_t> numbers) {
    TaskSet set(256);
    std::set<std::size_t> expected;
    for (const std::uint8_t number : numbers) {
      if (expected.insert(number).second) {
        set.insert(number);
      } else {
        expected.erase(number);
        set.erase(number);
      }
    }
    RC_ASSERT(set.size() == static_cast<std::int64_t>(expected.size()));
    std::vector<std::size_t> listed;
    set.list(listed);
    RC_ASSERT(listed == std::vector<std::size_t>(expected.begin(), expected.end()));
  }));
}
