#include "holdfast/arbiter/core.hpp"

#include "holdfast/arbiter/testing.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::arbiter;
using namespace holdfast::arbiter::testing;

namespace {

constexpr std::uint64_t kGiga = 1'000'000'000;

FaultCode code_of(const World& world, ConnectionId id) {
  const Refusal* refusal = world.last<Refusal>(id);
  REQUIRE(refusal != nullptr);
  return refusal->code;
}

}  // namespace

TEST_CASE("delay is what the operation lacked of its bandwidth, by the arbiter's clock") {
  Account account(0);
  account.open(10, 0.5);
  account.open(14, 1);
  account.close(16);
  CHECK(account.delay(16) == 2);
  CHECK(account.yield(16) == 0.875);
  Account paused(0);
  paused.open(10, 0);
  paused.open(13, 0.5);
  paused.open(17, 1);
  paused.close(19);
  CHECK(paused.delay(19) == 5);
  CHECK(paused.yield(19) == doctest::Approx(14.0 / 19).epsilon(1e-15));
  CHECK(Account(7).yield(7) == 0);
  CHECK(Account(-107, 5).yield(0) == doctest::Approx(1 - 5.0 / 107).epsilon(1e-15));
}

TEST_CASE("floors share the bandwidth by what each application can use") {
  World world(quiet(100));
  const auto a = world.join("a", 100);
  const auto b = world.join("b", 50);
  const auto c = world.join("c", 50);
  const auto floor_of = [&](ConnectionId id) {
    world.post(id);
    world.settle_now();
    const std::uint64_t out = world.last<Grant>(id)->floor;
    world.done(id, 0);
    return out;
  };
  CHECK(floor_of(a) == 50);
  CHECK(floor_of(b) == 25);
  CHECK(floor_of(c) == 25);
  world.close(b);
  world.pass_to(61);  // it is kept for a minute
  CHECK(floor_of(a) == 66);
  CHECK(floor_of(c) == 33);
}

TEST_CASE("the connections of one application share its rate in whole bytes") {
  CHECK(equal_part(100, 3, 0) == 34);
  World world(quiet(100));
  const ConnectionId ids[] = {world.join("a"), world.join("a"), world.join("a")};
  for (const ConnectionId id : ids) world.post(id);
  world.settle_now();
  CHECK(world.rate(ids[0]) == 34);
  CHECK(world.rate(ids[1]) == 33);
  CHECK(world.rate(ids[2]) == 33);
  CHECK(world.core().pending() == 1);
  world.done(ids[1], 10);
  world.settle_now();
  CHECK(world.rate(ids[0]) == 50);
  CHECK(world.rate(ids[2]) == 50);
}

TEST_CASE("a decision is the one that io plan takes of examples/data/io-live.json") {
  // Ages of 8, 1 and 10 days, of which 7 days, 20 hours and 9 days were progress.
  World world(quiet(200e9), "greedy-yield");
  constexpr double kDay = 86400;
  world.core().restore({{.uid = 1000, .name = "climate", .age = 8 * kDay, .delay = kDay},
                        {.uid = 1000, .name = "genome", .age = kDay, .delay = kDay / 6},
                        {.uid = 1000, .name = "plasma", .age = 10 * kDay, .delay = kDay}},
                       0, 0);
  const auto climate = world.join("climate", 200 * kGiga);
  const auto genome = world.join("genome", 80 * kGiga);
  const auto plasma = world.join("plasma", 200 * kGiga);
  world.join("weather", 120 * kGiga);
  world.post(climate, 160'000 * kGiga);
  world.post(genome, 1'000 * kGiga);
  world.post(plasma, 22'000 * kGiga);
  world.settle_now();
  CHECK(world.rate(climate) == 120 * kGiga);
  CHECK(world.rate(genome) == 80 * kGiga);
  CHECK(world.rate(plasma) == 0);
}

TEST_CASE("ages and delays go on after a restart") {
  Memory before;
  {
    World world(quiet(100));
    const auto a = world.join("a", 100);
    world.pass_to(90);
    const auto hog = world.join("hog", 100);
    world.post(hog);
    world.pass_to(95);
    world.post(a);
    world.pass_to(100);
    REQUIRE(world.core().remember(world.now()).size() == 2);
    before = world.core().remember(world.now()).front();
    CHECK(before.age == 100);
    CHECK(before.delay == 5);
  }
  World world(quiet(100));
  world.core().restore({before}, 7, 0);
  CHECK(world.standing("a").yield == doctest::Approx(1 - 5.0 / 107).epsilon(1e-15));
  world.pass_to(10);
  world.connect({.label = "a"});
  CHECK(world.standing("a").age == 117);
  CHECK(world.standing("a").delay == 5);
}

TEST_CASE("a rate stands for min_grant, and a newcomer gets what is free") {
  Settings settings = quiet(100);
  settings.min_grant = 0.25;
  World world(settings, "fair-share");
  const auto a = world.join("a", 100);
  world.post(a);
  world.settle_now();
  CHECK(world.rate(a) == 100);
  world.pass_to(0.1);
  const auto b = world.join("b", 100);
  world.post(b);
  world.settle_now();
  CHECK(world.rate(a) == 100);
  CHECK(world.rate(b) == 0);
  world.pass_to(0.2499);
  CHECK(world.rate(b) == 0);
  world.pass_to(0.25);
  CHECK(world.rate(a) == 50);
  CHECK(world.rate(b) == 50);
  // An end makes room at once.
  world.done(a, 20);
  world.settle_now();
  CHECK(world.rate(b) == 100);
}

TEST_CASE("an operation that has waited for max_pause gets its floor, whatever the policy") {
  Settings settings = quiet(100);
  settings.max_pause = 60;
  World world(settings, "fcfs");
  const auto first = world.join("first", 100);
  const auto second = world.join("second", 100);
  world.post(first);
  world.post(second);
  world.settle_now();
  CHECK(world.rate(first) == 100);
  CHECK(world.rate(second) == 0);
  world.pass_to(59.9);
  CHECK(world.rate(second) == 0);
  world.pass_to(60);
  CHECK(world.rate(second) == 50);
  CHECK(world.rate(first) == 50);
  world.done(first, 100);
  world.settle_now();
  CHECK(world.rate(second) == 100);
}

TEST_CASE("grants are renewed before their lease ends") {
  Settings settings = quiet(100);
  settings.lease = 10;
  World world(settings);
  const auto a = world.join("a");
  world.post(a);
  world.settle_now();
  CHECK(world.last<Grant>(a)->lease_ms == 10'000);
  for (double date = 0; date < 60; date += 0.5) {
    world.pass_to(date);
    CHECK(date - world.granted_at(a) <= 5);
  }
}

TEST_CASE("a silent client frees its bandwidth, and gets it back when it reports again") {
  Settings settings = quiet(100);
  settings.report = 2;
  World world(settings, "fair-share");
  const auto a = world.join("a");
  const auto b = world.join("b");
  world.post(a);
  world.post(b);
  for (int second = 0; second <= 7; ++second) {
    world.pass_to(second);
    world.report(b, 50 * static_cast<std::uint64_t>(second));
  }
  CHECK(world.rate(b) == 100);
  CHECK(world.standing("a").stage == Stage::work);
  world.pass_to(30);
  world.report(a, 0);
  world.report(b, 2400);
  world.settle_now();
  CHECK(world.rate(a) == 50);
  CHECK(world.rate(b) == 50);
  CHECK(world.is_open(a));
}

TEST_CASE("an operation that is granted and moves nothing is closed") {
  Settings settings = quiet(1e6);
  settings.idle = 5;
  settings.max_pause = 60;
  World world(settings, "fcfs");
  const auto a = world.join("a");
  const auto b = world.join("b");
  world.post(a);
  world.post(b);
  world.pass_to(4.9);
  CHECK(world.rate(b) == 0);
  world.pass_to(6);
  CHECK(code_of(world, a) == FaultCode::idle_operation);
  CHECK(world.is_open(a));
  CHECK(world.rate(b) == 1'000'000);
  // b had nothing for five seconds: that is not held against it.
  world.pass_to(9);
  CHECK(world.last<Refusal>(b) == nullptr);
  // Their messages crossed: no fault, and it may post again.
  world.report(a, 10);
  world.done(a, 10);
  world.post(a);
  CHECK(world.is_open(a));
}

TEST_CASE("the operation of a program that cannot say that it is done ends when it falls silent") {
  Settings settings = quiet(1'000'000);
  settings.gap = 0.5;
  settings.max_pause = 60;
  World world(settings, "fcfs");
  const auto shim = world.connect({.kind = ClientKind::shim, .label = "a"});
  const auto b = world.join("b");
  world.post(shim);
  world.pass_to(0.3);
  world.report(shim, 300'000);
  world.post(b);
  world.pass_to(0.7);
  CHECK(world.rate(b) == 0);  // it moved 0.4 s ago
  world.pass_to(1.1);
  CHECK(code_of(world, shim) == FaultCode::idle_operation);
  CHECK(world.rate(b) == 1'000'000);
  world.pass_to(3);  // a program that speaks for itself is given longer
  CHECK(world.last<Refusal>(b) == nullptr);
}

TEST_CASE("a newcomer does not come before those who have waited") {
  Settings settings = quiet(100);
  const auto order = [&](double grace) {
    settings.grace = grace;
    World world(settings, "greedy-yield");
    const auto old = world.join("old");
    const auto hog = world.join("hog");
    world.post(hog);
    world.post(old);
    world.pass_to(10);  // `old` waits: its yield is 0
    world.done(hog, 1000);
    world.pass_to(90);
    world.done(old, 8000);  // its yield is 8/9
    world.pass_to(100);
    const auto fresh = world.join("new");
    world.pass_to(100.5);
    world.post(hog);
    world.post(old);
    world.pass_to(101);
    world.post(fresh);
    world.done(hog, 50);
    world.pass_to(102);
    return std::pair{world.rate(fresh), world.rate(old)};
  };
  CHECK(order(0).second == 100);
  CHECK(order(60).second == 100);
}

TEST_CASE("lies and floods are refused, and cost nobody else anything") {
  Settings settings = quiet(100);
  settings.connections_of_user = 3;
  settings.applications = 4;
  World world(settings);
  const auto honest = world.join("honest");
  world.post(honest);
  world.settle_now();

  const auto first = world.connect();  // a connection that says something else first
  CHECK(world.is_open(first));
  const auto refused = [&](const Frame& frame, FaultCode code) {
    const auto liar = world.connect({.label = "liar"}, {.uid = 2000});
    world.say(liar, frame);
    CHECK(code_of(world, liar) == code);
    CHECK(!world.is_open(liar));
  };
  const std::uint64_t own = 3;  // the third application
  refused(Hello{}, FaultCode::bad_frame);
  refused(Post{.handle = 1, .operation = 1}, FaultCode::unknown_handle);  // somebody else's
  refused(Done{.handle = 1, .operation = 1}, FaultCode::unknown_handle);
  refused(Post{.handle = own, .operation = 1, .volume = kUnknownVolume - 1}, FaultCode::bad_value);
  refused(Post{.handle = own, .operation = 0}, FaultCode::bad_value);
  refused(Report{.handle = own, .operation = 5}, FaultCode::bad_value);
  refused(Welcome{}, FaultCode::bad_frame);
  refused(Grant{}, FaultCode::bad_frame);
  refused(Watch{1}, FaultCode::bad_value);
  refused(Register{.uid = 0, .label = "x"}, FaultCode::not_permitted);
  const auto relay = world.connect({.kind = ClientKind::relay}, {.uid = 2000});
  CHECK(code_of(world, relay) == FaultCode::not_permitted);
  // Too many connections, and too many applications.
  CHECK(world.is_open(world.connect()));
  const auto fourth = world.connect();
  CHECK(code_of(world, fourth) == FaultCode::too_many);
  CHECK(!world.is_open(fourth));
  const auto stranger = world.connect({}, {.uid = 3000});
  CHECK(code_of(world, stranger) == FaultCode::too_many);
  CHECK(world.rate(honest) == 100);
}

TEST_CASE("a volume that is understated counts for nothing soon") {
  Volumes volumes;
  CHECK(volumes.remaining(kUnknownVolume, 0) == 1073741824);
  CHECK(volumes.remaining(100, 40) == 60);
  volumes.ended(10, 1000);
  CHECK(volumes.remaining(10, 0) == 10);
  volumes.ended(10, 1000);
  CHECK(volumes.remaining(10, 0) == 1000);
  for (int i = 0; i < 7; ++i) volumes.ended(1000, 1000);
  CHECK(!volumes.are_doubted());
}

TEST_CASE("an application that declares more than it can use is counted at what it uses") {
  Capability capability;
  double bandwidth = 100;
  for (int second = 0; second <= 61; ++second) {
    capability.moved(second, 20, 100);
    bandwidth = capability.review(second, 100);
  }
  CHECK(bandwidth == doctest::Approx(25));
  // It uses all of that: more is tried.
  for (int second = 62; second <= 130; ++second) {
    capability.moved(second, 25, 25);
    bandwidth = capability.review(second, 100);
  }
  CHECK(bandwidth == doctest::Approx(31.25));
  Capability limited;
  for (int second = 0; second <= 130; ++second) {
    limited.moved(second, 50, 50);
    CHECK(limited.review(second, 100) == 100);
  }
}

TEST_CASE("a pause does not look like a slow program, nor do short operations hide one") {
  // A second of transfer in four, the first report of each shortly after the grant.
  const auto found = [](double rate) {
    Capability out;
    double bandwidth = 100;
    for (int second = 0; second <= 130; second += 4) {
      out.interrupt();
      out.moved(second + 0.05, 0.05 * rate, 100);
      out.moved(second + 0.5, 0.45 * rate, 100);
      out.moved(second + 1, 0.5 * rate, 100);
      bandwidth = out.review(second + 1, 100);
    }
    return bandwidth;
  };
  CHECK(found(100) == 100);
  CHECK(found(95) == 100);
  CHECK(found(20) == doctest::Approx(25));
}

TEST_CASE("applications that take turns in the middle of operations keep their bandwidth") {
  World world(quiet(100), "periodic-greedy-yield:period=1");
  const std::vector<ConnectionId> ids = {world.join("a"), world.join("b"), world.join("c")};
  constexpr double kStep = 0.25;
  constexpr std::uint64_t kVolume = 1000;
  std::vector<std::uint64_t> moved(ids.size(), 0);
  for (const ConnectionId id : ids) world.post(id, kVolume);
  for (int step = 1; step * kStep < 130; ++step) {
    std::vector<std::uint64_t> rates;
    for (const ConnectionId id : ids) rates.push_back(world.rate(id));
    world.pass_to(step * kStep);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (rates[i] == 0) continue;
      moved[i] += static_cast<std::uint64_t>(kStep * static_cast<double>(rates[i]));
      world.report(ids[i], moved[i]);
      if (moved[i] < kVolume) continue;
      world.done(ids[i], moved[i]);
      moved[i] = 0;
      world.post(ids[i], kVolume);
    }
  }
  for (const char* name : {"a", "b", "c"}) {
    CHECK(world.standing(name).moved > 3000);
    CHECK(world.standing(name).bandwidth == 100);
  }
}

TEST_CASE("nobody waits for ever, and grants stay below the bandwidth, whatever happens") {
  CHECK(rc::check([] {
    const char* const kPolicies[] = {"fcfs",
                                     "greedy-yield",
                                     "greedy-com",
                                     "fair-share",
                                     "set-10",
                                     "best-next-event",
                                     "look-ahead-greedy-yield"};
    Settings settings;
    settings.bandwidth = 1e8;
    settings.max_pause = 20;
    World world(settings, kPolicies[*rc::gen::inRange<std::size_t>(0, std::size(kPolicies))]);
    struct Client {
      ConnectionId id = 0;
      bool writes = false;
      bool speaks = true;
      std::uint64_t moved = 0;
      double waits_since = 0;
    };
    std::vector<Client> clients;
    const auto count = *rc::gen::inRange(10, 50);
    for (int i = 0; i < count; ++i) {
      const auto what = *rc::gen::inRange(0, 10);
      if (clients.empty() || what == 0) {
        const auto label = std::to_string(*rc::gen::inRange(0, 4));
        const auto bandwidth = *rc::gen::inRange<std::uint64_t>(0, 200'000'000);
        clients.push_back({.id = world.join(label, bandwidth)});
      }
      Client& one = clients[*rc::gen::inRange<std::size_t>(0, clients.size())];
      if (world.is_open(one.id)) {
        if (what == 1 && !one.writes) {
          one = {.id = one.id, .writes = true, .waits_since = world.now()};
          world.post(one.id, *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000));
        } else if (what == 2 && one.writes) {
          world.done(one.id, one.moved);
          one.writes = false;
        } else if (what == 3) {
          one.speaks = !one.speaks;
        } else if (what == 4 && clients.size() > 3) {
          world.close(one.id);
          std::swap(one, clients.back());
          clients.pop_back();
        } else if (what == 5 && !one.writes) {
          one = {.id = one.id, .writes = true, .waits_since = world.now()};
          world.post(one.id);
        }
      }
      const double until = world.now() + *rc::gen::inRange(0, 24) / 4.0;
      while (world.now() < until) {
        world.pass_to(std::min(until, world.now() + 1));
        for (Client& each : clients) {
          if (!each.writes || !each.speaks) {
            each.waits_since = world.now();
            continue;
          }
          const Refusal* refusal = world.last<Refusal>(each.id);
          const bool is_fault = refusal != nullptr && refusal->code != FaultCode::idle_operation;
          RC_ASSERT(!is_fault);
          each.moved += world.rate(each.id) / 2;
          world.report(each.id, each.moved);
          if (world.rate(each.id) > 0) each.waits_since = world.now();
          // max_pause, the granularity of this test, and the rates that may still stand.
          RC_ASSERT(world.now() - each.waits_since <= settings.max_pause + 2.5);
        }
      }
    }
  }));
}

TEST_CASE("another bandwidth and another policy hold at once, and what is held gives way") {
  Settings settings = quiet(100);
  settings.min_grant = 10;
  World world(settings, "fair-share");
  const auto a = world.join("a", 100);
  const auto b = world.join("b", 100);
  world.post(a);
  world.post(b);
  world.settle_now();
  CHECK(world.rate(a) == 50);
  CHECK(world.rate(b) == 50);
  world.pass_to(1);
  settings.bandwidth = 30;
  world.change(settings, "fcfs");
  CHECK(world.rate(a) == 30);
  CHECK(world.rate(b) == 0);
  CHECK(world.standing("a").bandwidth == 30);
  CHECK(world.core().totals().bandwidth == 30);
  world.pass_to(2);
  settings.bandwidth = 200;
  world.change(settings, "fcfs");
  CHECK(world.rate(a) == 100);
  CHECK(world.rate(b) == 100);
  // Half a second's worth of 50 of 100 and of 0 of 30, and nothing since.
  world.pass_to(4);
  CHECK(world.standing("a").delay == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(world.standing("b").delay == doctest::Approx(1.5).epsilon(1e-12));
}
