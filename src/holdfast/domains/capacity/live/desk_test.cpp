#include "holdfast/domains/capacity/live/desk.hpp"

#include "holdfast/base/value.hpp"
#include "holdfast/domains/capacity/strategies.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::capacity;
using What = LiveEvent::What;

namespace {

/// Returns an event as a real system has them: late, early, twice, of unknown jobs.
LiveEvent drawn_event(const World& world, std::int64_t at, std::int64_t& next) {
  const auto drawn = [](std::int64_t low, std::int64_t high) {
    return *rc::gen::inRange(low, high + 1);
  };
  const auto job = [&] {
    return std::to_string(drawn(std::max<std::int64_t>(0, next - 12), next));
  };
  const auto machine = [&] {
    return world.machines[static_cast<std::size_t>(drawn(0, std::ssize(world.machines) - 1))];
  };
  LiveEvent out{
      .what = static_cast<What>(*rc::gen::weightedElement<int>(
          {{8, 0}, {8, 1}, {6, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}, {1, 8}, {4, 9}})),
      .at = at};
  if (out.what == What::submitted) {
    out.job = std::to_string(drawn(0, 9) == 0 ? drawn(0, next) : next++);
    out.cores = drawn(1, world.rules.cores);
    out.length = drawn(1, 60);
    if (drawn(0, 3) == 0) out.category = static_cast<double>(drawn(0, 8)) / 8;
    if (drawn(0, 5) == 0) out.release = std::max<std::int64_t>(0, at - drawn(0, 30));
    if (drawn(0, 19) == 0) out.count = 2;
  } else if (out.what == What::machine_up || out.what == What::machine_down) {
    out.machines = {machine()};
  } else if (out.what == What::capacity) {
    out.count = drawn(0, std::ssize(world.machines));
  } else if (out.what == What::notice) {
    if (drawn(0, 1) == 0) out.announced = {{at + drawn(1, 40), drawn(0, 3)}};
  } else if (out.what != What::tick) {
    out.job = job();
    if (out.what == What::started) {
      out.machines = {machine()};
      if (const std::string other = machine(); drawn(0, 9) == 0 && other != out.machines[0])
        out.machines.push_back(other);
      if (drawn(0, 2) == 0) out.since = std::max<std::int64_t>(0, at - drawn(0, 20));
    }
    if (out.what == What::killed && drawn(0, 1) == 0) out.since = at + drawn(0, 30);
    if (out.what == What::resized) out.length = drawn(1, 90);
    if (out.what == What::resized && drawn(0, 1) == 0) out.cores = drawn(1, world.rules.cores);
  }
  return out;
}

}  // namespace

TEST_CASE("advise: whatever happens, a world that is kept gives the moves of one that was read") {
  CHECK(rc::check([] {
    const bool has_reference = *rc::gen::arbitrary<bool>();
    const auto entries = strategies();
    const StrategySpec spec =
        parse_strategy(*rc::gen::element<std::string>("packed-target-asap:pack=2", "target-asap",
                                                      "target-stretch:distance=1", "easy",
                                                      "first-fit-aware", "first-fit-unaware",
                                                      "drain", "easy-drain", "under-price:limit=5"),
                       entries)
            .value();
    World kept;
    kept.rules.cores = 4;
    kept.rules.machines = *rc::gen::inRange<std::int64_t>(1, 7);
    kept.rules.safe_machines = (kept.rules.machines + 1) / 2;
    kept.rules.requeue_delay = *rc::gen::element<std::int64_t>(0, 15);
    kept.patience = *rc::gen::element<std::int64_t>(0, 5, 60);
    kept.rules.price = {{0, 3}, {60, 8}, {100, 4}, {400, 9}};
    if (has_reference) kept.rules.reference = {{5, 1}, {30, 2}, {50, 1}};
    for (std::int64_t m = 0; m < kept.rules.machines; ++m)
      kept.machines.push_back("n" + std::to_string(m));
    kept.is_up.assign(kept.machines.size(), 1);
    kept.memory.used = first_used(kept.rules, kept.up_count());
    std::int64_t next = 0, at = 0;
    for (int question = 0; question < 60; ++question) {
      std::vector<LiveEvent> events;
      for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
        at += *rc::gen::element<std::int64_t>(0, 0, 1, 3, 20);
        events.push_back(drawn_event(kept, at, next));
      }
      kept.quiet_until =
          0;  // a second look at the same instant may start what the first one did not
      World fresh = read_world(to_value(kept)).value();
      const auto one = advance(kept, events, spec);
      const auto other = advance(fresh, events, spec);
      RC_ASSERT(static_cast<bool>(one));
      RC_ASSERT(static_cast<bool>(other));
      RC_ASSERT(one->ask_again_at == other->ask_again_at);
      RC_ASSERT(one->ignored == other->ignored);
      RC_ASSERT(one->moves == other->moves);
      RC_ASSERT(to_json(to_value(kept)) == to_json(to_value(fresh)));
    }
  }));
}
