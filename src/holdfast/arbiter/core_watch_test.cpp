// Who is known to a Core, and what those who watch it see.
#include "holdfast/arbiter/core.hpp"
#include "holdfast/arbiter/testing.hpp"

#include <doctest/doctest.h>

#include <utility>

using namespace holdfast;
using namespace holdfast::arbiter;
using namespace holdfast::arbiter::testing;

TEST_CASE("an application is kept for its next connection, and then forgotten") {
  World world(quiet(100));
  const auto a = world.join("a");
  const Token token = world.last<Welcome>(a)->resume;
  world.pass_to(10);
  world.close(a);
  world.pass_to(60);
  const auto again = world.connect({.label = "other name", .resume = token});
  CHECK(world.handle(again) == 1);
  CHECK(world.standing("a").age == 60);
  // Nobody else's token.
  const auto thief = world.connect({.label = "thief", .resume = token}, {.uid = 7});
  CHECK(world.handle(thief) == 2);
  world.close(again);
  world.close(thief);
  world.pass_to(125);
  CHECK(world.core().standings(world.now()).empty());
}

TEST_CASE("root registers an application before its processes come") {
  World world(quiet(100));
  const auto prolog = world.connect({.kind = ClientKind::watcher}, {.uid = 0});
  world.say(prolog, Register{.uid = 1000, .nodes = 4, .label = "4711", .ttl_ms = 100'000});
  world.pass_to(90);
  const auto process = world.connect({}, {.uid = 1000, .job = "4711"});
  CHECK(world.handle(process) == 1);
  CHECK(world.standing("4711").age == 90);
  CHECK(world.standing("4711").nodes == 4);
}

TEST_CASE("watchers see their own applications, and observers all") {
  World world(quiet(100));
  world.connect({.label = "mine"}, {.uid = 1});
  world.connect({.label = "theirs"}, {.uid = 2});
  const auto states_of = [&](Peer peer) {
    const auto watcher = world.connect({.kind = ClientKind::watcher}, std::move(peer));
    world.say(watcher, Watch{1000});
    const double before = world.now();
    world.pass_to(before + 2.5);
    CHECK(world.is_open(watcher));
    return world.last<State>(watcher)->handle;
  };
  CHECK(states_of({.uid = 1}) == 0);  // a round ends with handle 0
  CHECK(states_of({.uid = 3, .sees_all = true}) == 0);
}

TEST_CASE("the longest wait is that of any operation, and of the present one while it lasts") {
  World world(quiet(100));
  const auto a = world.join("a");
  const auto b = world.join("b");
  world.post(a);
  world.settle_now();
  world.post(b);
  world.pass_to(3);
  CHECK(world.standing("b").waiting == 3);
  CHECK(world.standing("b").longest_wait == 3);
  CHECK(world.standing("a").longest_wait == 0);
  world.done(a, 300);
  world.settle_now();
  world.pass_to(5);
  CHECK(world.standing("b").waiting == 0);
  CHECK(world.standing("b").longest_wait == 3);
  world.post(a);
  world.pass_to(6);
  world.done(a, 0);  // it gives up
  CHECK(world.standing("a").longest_wait == 1);
  CHECK(world.standing("b").share == 1);
}

TEST_CASE("watchers are told where the arbiter stands at the end of each round") {
  Settings settings = quiet(100);
  settings.policy = "fcfs";
  settings.epoch = 3;
  World world(settings);
  const auto a = world.join("a");
  world.post(a);
  world.settle_now();
  const auto watcher = world.connect({.kind = ClientKind::watcher});
  world.say(watcher, Watch{.interval_ms = 1000});
  const State* end = world.last<State>(watcher);
  REQUIRE(end != nullptr);
  CHECK(end->handle == 0);
  const Totals totals = totals_of(*end, world.last<Welcome>(watcher)->epoch);
  CHECK(totals.bandwidth == 100);
  CHECK(totals.granted == 100);
  CHECK(totals.pending == 1);
  CHECK(totals.connections == 2);
  CHECK(totals.decisions == 1);
  CHECK(totals.epoch == 3);
  CHECK(totals.policy == "fcfs");
}
