#include "holdfast/algorithms/list_schedule.hpp"

#include "holdfast/algorithms/priority_order.hpp"
#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace holdfast {
namespace {

// An attempt of a slot: (slot, start, end).
using Row = std::tuple<std::uint32_t, double, double>;

struct Slots {
  std::uint32_t processors = 1;
  std::vector<std::uint32_t> needs;  // per slot
  std::vector<double> lengths;
  std::vector<int> attempts;
};

// Few distinct lengths, so that many things end at once.
Slots random_slots(std::uint64_t key, bool alike) {
  Stream random({.instance = key});
  Slots out;
  out.processors = static_cast<std::uint32_t>(random.integer(1, 40));
  const std::int64_t count = random.integer(1, 60);
  const auto common = static_cast<std::uint32_t>(random.integer(1, out.processors));
  for (std::int64_t k = 0; k < count; ++k) {
    out.needs.push_back(alike ? common
                              : static_cast<std::uint32_t>(random.integer(1, out.processors)));
    out.lengths.push_back(static_cast<double>(random.integer(random.chance(0.1) ? 0 : 1, 6)));
    out.attempts.push_back(static_cast<int>(random.integer(1, 3)));
  }
  return out;
}

struct Client {
  const Slots& slots;
  std::vector<int> left = slots.attempts;
  std::vector<Row> rows = {};

  double start(std::uint32_t slot, double now) {
    rows.emplace_back(slot, now, now + slots.lengths[slot]);
    return now + slots.lengths[slot];
  }
  std::uint32_t processors(std::uint32_t slot) const { return slots.needs[slot]; }
  template <class Pending>
  void complete(Pending& pending, std::uint32_t slot, double) {
    if (--left[slot] > 0) pending.insert(slot, slots.needs[slot]);
  }
  template <class Pending>
  void settle(Pending&, double) const {}
};

// Algorithm 1 as written: a list, scanned from its start at every instant.
std::vector<Row> schedule_by_scan(const Slots& slots, double& end) {
  std::vector<Row> rows;
  std::set<std::uint32_t> list;
  for (std::uint32_t s = 0; s < slots.needs.size(); ++s) list.insert(s);
  std::multimap<double, std::uint32_t> running;
  std::vector<int> left = slots.attempts;
  std::uint32_t free = slots.processors;
  double now = 0;
  for (;;) {
    for (auto it = list.begin(); it != list.end();) {
      if (slots.needs[*it] <= free) {
        free -= slots.needs[*it];
        running.emplace(now + slots.lengths[*it], *it);
        rows.emplace_back(*it, now, now + slots.lengths[*it]);
        it = list.erase(it);
      } else {
        ++it;
      }
    }
    if (running.empty()) break;
    now = running.begin()->first;
    while (!running.empty() && running.begin()->first == now) {
      const std::uint32_t slot = running.begin()->second;
      running.erase(running.begin());
      free += slots.needs[slot];
      if (--left[slot] > 0) list.insert(slot);
    }
  }
  end = now;
  return rows;
}

}  // namespace

TEST_CASE("list schedule: the tree gives the schedule of the scan") {
  Completions running;
  for (std::uint64_t k = 0; k < 3000; ++k) {
    CAPTURE(k);
    const Slots slots = random_slots(k, false);
    double end = 0;
    const std::vector<Row> expected = schedule_by_scan(slots, end);
    PendingTree pending;
    pending.fill(slots.needs);
    Client client{slots};
    const ListOutcome outcome = list_schedule(slots.processors, pending, running, client);
    REQUIRE(client.rows == expected);
    REQUIRE(outcome.end == end);
  }
}

TEST_CASE("list schedule: where all ask for the same, the bitmap gives it too") {
  Completions running;
  for (std::uint64_t k = 0; k < 3000; ++k) {
    CAPTURE(k);
    const Slots slots = random_slots(k, true);
    double end = 0;
    const std::vector<Row> expected = schedule_by_scan(slots, end);
    PendingBitmap pending(slots.needs.front(), slots.needs.size());
    pending.fill();
    Client client{slots};
    const ListOutcome outcome = list_schedule(slots.processors, pending, running, client);
    REQUIRE(client.rows == expected);
    REQUIRE(outcome.end == end);
  }
}

TEST_CASE("list schedule: the fewest busy processors are those of an instant that lasts") {
  // On 4 processors: 3 for 2 s beside 1 for 1 s, then 2 for 1 s: busy 4, 3, 2; the job of no
  // length does not count.
  const Slots slots{4, {3, 1, 2, 1}, {2, 1, 1, 0}, {1, 1, 1, 1}};
  PendingTree pending;
  pending.fill(slots.needs);
  Completions running;
  Client client{slots};
  const ListOutcome outcome = list_schedule(slots.processors, pending, running, client);
  CHECK(outcome.end == 3);
  CHECK(outcome.least_busy == 2);
}

TEST_CASE("pending: both forms find what a sorted set finds") {
  for (std::uint64_t k = 0; k < 200; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    const auto count = static_cast<std::size_t>(random.integer(1, 9000));
    PendingTree tree(count);
    PendingBitmap bitmap(3, count);
    std::set<std::uint32_t> expected;
    for (int step = 0; step < 500; ++step) {
      const auto slot =
          static_cast<std::uint32_t>(random.integer(0, static_cast<std::int64_t>(count) - 1));
      if (!expected.contains(slot)) {
        expected.insert(slot);
        tree.insert(slot, 3);
        bitmap.insert(slot, 3);
      }
      if (random.chance(0.6) && !expected.empty()) {
        REQUIRE(tree.first_fit(3) == *expected.begin());
        REQUIRE(bitmap.first_fit(3) == *expected.begin());
        REQUIRE(tree.take(*expected.begin()) == 3);
        REQUIRE(bitmap.take(*expected.begin()) == 3);
        expected.erase(expected.begin());
      }
      REQUIRE(tree.first_fit(2) == kNoSlot);
      REQUIRE(bitmap.first_fit(2) == kNoSlot);
      REQUIRE(tree.empty() == expected.empty());
      REQUIRE(bitmap.empty() == expected.empty());
    }
  }
}

TEST_CASE("completions: come out by time, whatever was pushed in between") {
  for (std::uint64_t k = 0; k < 200; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    Completions running;
    std::multiset<std::pair<double, std::uint32_t>> expected;
    double now = 0;
    for (std::uint32_t step = 0; step < 400; ++step) {
      if (random.chance(0.55)) {
        const double end = now + static_cast<double>(random.integer(0, 9));
        running.push(end, step);
        expected.emplace(end, step);
      } else if (!expected.empty()) {
        now = expected.begin()->first;
        REQUIRE(running.next() == now);
        const auto it = expected.find({now, running.pop()});
        REQUIRE(it != expected.end());
        expected.erase(it);
      }
      REQUIRE(running.size() == expected.size());
    }
  }
}

TEST_CASE("priority order: digits and comparisons agree") {
  for (std::uint64_t k = 0; k < 60; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    std::vector<double> keys(static_cast<std::size_t>(random.integer(0, 5000)));
    const bool few = random.chance(0.5);
    for (double& key : keys) {
      key = few ? static_cast<double>(random.integer(-3, 3)) : random.uniform(-1e6, 1e6);
      if (random.chance(0.05)) key = -0.0;
    }
    REQUIRE(priority_order(keys) == priority_order_by_comparison(keys));
    std::ranges::sort(keys, std::ranges::greater{});
    REQUIRE(priority_order(keys) == priority_order_by_comparison(keys));
  }
}

}  // namespace holdfast
