#include "holdfast/domains/capacity/placement/availability_profile.hpp"
#include "holdfast/domains/capacity/placement/lane.hpp"
#include "holdfast/domains/capacity/placement/staircases.hpp"
#include "holdfast/domains/capacity/placement/start_bounds.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

using namespace holdfast;
using namespace holdfast::capacity;

TEST_CASE(
    "availability profile: earliest starts and free cores are those of a table of every second") {
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
      const AvailabilityProfile::Found found = availability.earliest(now, cores, length);
      RC_ASSERT(found.start == expected);
      for (std::int64_t t = now; t < expected; ++t) {
        RC_ASSERT(!fits(t, cores, std::max<std::int64_t>(1, found.needs)));
        RC_ASSERT(!availability.is_free(t, cores, length));
      }
      RC_ASSERT(availability.is_free(expected, cores, length));
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

// A job with cores and a length; nothing else of it matters here.
static PlacementRequest request_for(std::int64_t cores, std::int64_t length) {
  PlacementRequest out{};
  out.cores = static_cast<std::int32_t>(cores);
  out.length = length;
  return out;
}

TEST_CASE("lane: no job starts later on its machines than the work before it allows") {
  CHECK(rc::check([] {
    constexpr std::int64_t kCores = 8;
    const auto count = *rc::gen::inRange<std::int32_t>(1, 4);
    std::vector<AvailabilityProfile> machines;
    for (std::int32_t m = 0; m < count; ++m) machines.push_back(random_availability(kCores));
    Lane lane(0);
    for (std::uint32_t i = 0; i < 20; ++i) {
      const auto cores = *rc::gen::inRange<std::int32_t>(1, kCores + 1);
      const auto length = *rc::gen::inRange<std::int64_t>(1, 30);
      const auto start_on = [&](const AvailabilityProfile& one) {
        return one.earliest(0, cores, length).start;
      };
      AvailabilityProfile& best = *std::ranges::min_element(machines, {}, start_on);
      const std::int64_t start = start_on(best);
      if (*rc::gen::inRange(0, 8) == 0) lane.forget_end();
      if (!lane.has_end(count) && lane.empty()) {
        AvailabilityProfile::End all{0, 0};
        for (const AvailabilityProfile& one : machines) {
          const AvailabilityProfile::End end = one.end_of(kCores, 0);
          all = {std::max(all.time, end.time), all.taken + end.taken};
        }
        lane.set_end(all, count);
      }
      if (lane.has_end(count)) {
        RC_ASSERT(!lane.surely_starts_by(start - 1, cores, kCores, count));
      }
      lane.push(request_for(cores, length), {0, 0, count}, 0);
      best.reserve(start, start + length, cores);
      if (*rc::gen::inRange(0, 4) > 0) continue;
      while (!lane.empty()) lane.take(lane.first());
    }
  }));
}

TEST_CASE("lane: no bound exceeds what was recorded, and the last record is kept in full") {
  CHECK(rc::check([] {
    constexpr std::int64_t kMachines = 3;
    struct Known {
      std::int64_t area;
      std::array<std::int64_t, kMachines + 1> not_before = {};  // by machine, and on all
      bool is_planned = false;
    };
    Lane lane(0, kMachines);
    std::vector<Known> known;
    const auto below = [](std::size_t most) { return *rc::gen::inRange<std::size_t>(0, most); };
    for (int i = 0; i < 60; ++i) {
      const auto time = *rc::gen::inRange<std::int64_t>(1, 50);
      const std::size_t what = below(4);
      const std::size_t m = what == 2 ? kMachines : below(kMachines);
      const std::int64_t on = what == 2 ? Lane::kAll : static_cast<std::int64_t>(m);
      if (what == 0) {
        if (lane.empty()) known.clear();
        known.push_back({.area = 2000 * time, .not_before = {0, 0, 0, time}});
        lane.push(request_for(2, 1000 * time), {0, 0, kMachines}, time);
      } else if (what == 1 && !known.empty()) {
        const std::size_t at = below(known.size());
        if (!std::exchange(known[at].is_planned, true)) lane.take(at);
      } else if (!known.empty()) {
        const std::size_t until = below(known.size()) + 1;
        for (std::size_t at = 0; at < until; ++at) {
          known[at].not_before[m] = std::max(known[at].not_before[m], time);
        }
        lane.settled(until, time, on);
        RC_ASSERT(lane.settled_before(until, on) >= time);
        RC_ASSERT(lane.first_unsettled(time, on) >= until);
      }
      std::int64_t first = kNever, first_on = kNever, area = 0;
      for (std::size_t at = 0; at < known.size(); ++at) {
        if (!known[at].is_planned) {
          const std::int64_t on_all = known[at].not_before[kMachines];
          const std::int64_t on_machine = std::max(on_all, known[at].not_before[m]);
          RC_ASSERT(on_all >= time || lane.first_unsettled(time, Lane::kAll) <= at);
          RC_ASSERT(on_machine >= time || lane.first_unsettled(time, on) <= at);
          first = std::min(first, on_all);
          first_on = std::min(first_on, on_machine);
          area += known[at].area;
        }
        RC_ASSERT(lane.settled_before(at + 1, Lane::kAll) <= first);
        RC_ASSERT(lane.settled_before(at + 1, on) <= first_on);
      }
      RC_ASSERT(lane.wake() <= first);
      RC_ASSERT(lane.area() == area);
    }
  }));
}

TEST_CASE("start bounds and stairs: never later than the start that a search finds") {
  CHECK(rc::check([] {
    const auto most_cores = *rc::gen::element<std::int64_t>(8, 20);  // below or above kMostCores
    std::vector<Task> tasks;
    for (int i = 0; i < 80; ++i) {
      const auto length = *rc::gen::inRange<std::int64_t>(1, 60);
      const auto cores = *rc::gen::inRange<std::int64_t>(1, most_cores + 1);
      tasks.push_back({.job = 0, .cores = cores, .length = length, .first_length = length});
    }
    constexpr std::int64_t kMachine = 1;
    StartBounds bounds(tasks, 2, -5);
    Staircases staircases(2, bounds.core_classes());
    AvailabilityProfile availability;
    availability.reset(0, most_cores);
    for (const Task& task : tasks) {
      const StartBounds::Place place = bounds.place_of(task.cores, task.length);
      const StartBounds::Row row = bounds.row(place);
      const std::int64_t start = availability.earliest(0, task.cores, task.length).start;
      const auto time = *rc::gen::inRange<std::int64_t>(1, 100);

      const std::int64_t bound = bounds.bound(row, kMachine);
      RC_ASSERT(bound <= start);
      RC_ASSERT(bounds.late_length(place.read_cores, kMachine, time) > task.length ||
                bound >= time);
      const auto from = std::max<std::int64_t>(0, bound);
      const AvailabilityProfile::Found found = availability.earliest(from, task.cores, task.length);
      RC_ASSERT(found.start == start);
      bounds.raise(kMachine, place, {bound > 0 ? bound : -5, start, found.needs});
      RC_ASSERT(bounds.bound(row, kMachine) <= start);
      RC_ASSERT(bounds.bound(row, 0) < 0);

      Stairs& stairs = staircases.of(kMachine, place.read_cores);
      const std::size_t step = stairs.step_of(task.length);
      RC_ASSERT(stairs.start(step) <= start);
      RC_ASSERT(stairs.length(step) <= task.length);
      RC_ASSERT((task.length >= stairs.late_length(time)) == (stairs.start(step) >= time));
      if (place.has_own_cores()) {
        const auto needs =
            availability
                .earliest(std::max<std::int64_t>(0, stairs.start(step)), task.cores, task.length)
                .needs;
        stairs.add(step, std::max(stairs.length(step), needs), start);
        RC_ASSERT(stairs.start(stairs.step_of(task.length)) <= start);
      }
      availability.reserve(start, start + task.length, task.cores);
    }
    bounds.reset(kMachine, 0, 0);
    staircases.clear(kMachine);
    const StartBounds::Place longest = bounds.place_of(1, 60);
    RC_ASSERT(bounds.bound(bounds.row(longest), kMachine) == 0);
    RC_ASSERT(staircases.of(kMachine, 0).start(staircases.of(kMachine, 0).step_of(60)) < 0);
  }));
}
