#include "holdfast/arbiter/happening.hpp"

#include "holdfast/arbiter/testing.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>
#include <vector>

using namespace holdfast;
using namespace holdfast::arbiter;
using namespace holdfast::arbiter::testing;

namespace {

/// Happenings in words, each kind where it is asked for.
class Log {
 public:
  explicit Log(World& world) {
    world.core().observe([this](const Happening& happening, double now) {
      std::visit([&](const auto& one) { note(one, now); }, happening);
    });
  }
  std::vector<std::string> applications = {};
  std::vector<std::string> frames = {};

 private:
  void note(const Joined& one, double now) {
    add(now, fmt::format("{} joined: {} nodes, {} bytes/s, {} s of {} s", one.name, one.nodes,
                         one.bandwidth, one.delay, one.age));
  }
  void note(const Left& one, double now) { add(now, fmt::format("{} left", one.handle)); }
  void note(const Changed& one, double now) {
    add(now, fmt::format("{} can {} bytes/s", one.handle, one.bandwidth));
  }
  void note(const Posted& one, double now) {
    add(now,
        fmt::format("{} posted {}", one.handle, one.volume == kUnknownVolume ? 0 : one.volume));
  }
  void note(const Granted& one, double now) {
    add(now, fmt::format("{} at {}", one.handle, one.rate));
  }
  void note(const Ended& one, double now) {
    add(now, fmt::format("{} moved {}", one.handle, one.moved));
  }
  void note(const Decided& one, double now) { add(now, fmt::format("of {}", one.pending)); }
  void note(const Expired& one, double now) { add(now, fmt::format("{} is silent", one.handle)); }
  void note(const Taken& one, double) { frames.push_back(fmt::format("< {}", one.type)); }
  void note(const Sent& one, double) { frames.push_back(fmt::format("> {}", one.type)); }
  void note(const Refused& one, double) {
    frames.push_back(fmt::format("! {}", static_cast<int>(one.code)));
  }
  void add(double now, const std::string& words) {
    applications.push_back(fmt::format("{}: {}", now, words));
  }
};

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("happenings report what applications do and get, in order") {
  World world(quiet(100));
  Log log(world);
  const auto a = world.connect({.bandwidth_max = 100, .nodes = 4, .label = "a"});
  world.pass_to(10);
  const auto b = world.join("b", 50);
  world.post(a, 400);
  world.settle_now();
  world.post(b);
  world.settle_now();
  world.pass_to(14);
  world.done(a, 400);
  world.settle_now();
  world.close(b);
  world.settle_now();
  CHECK(log.applications == Lines{"0: a joined: 4 nodes, 100 bytes/s, 0 s of 0 s",
                                  "10: b joined: 0 nodes, 50 bytes/s, 0 s of 0 s",
                                  "10: 1 posted 400", "10: of 1", "10: 1 at 100", "10: 2 posted 0",
                                  "10: of 2", "14: 1 moved 400", "14: of 1", "14: 2 at 50",
                                  "14: 2 moved 0", "14: 2 left"});
}

TEST_CASE(
    "happenings: an application that comes back joins with its age, and a new declaration is "
    "reported") {
  World world(quiet(100));
  const auto a = world.join("a", 40);
  Log log(world);
  world.join("a", 60);
  world.join("a", 50);
  world.pass_to(10);
  for (const ConnectionId id : {a, a + 1, a + 2}) world.close(id);
  world.pass_to(30);
  world.join("a");
  CHECK(log.applications == Lines{"0: 1 can 60 bytes/s", "10: 1 left",
                                  "30: a joined: 0 nodes, 60 bytes/s, 0 s of 30 s"});
}

TEST_CASE("happenings: an operation whose process is silent ends, and posts again when it is not") {
  Settings settings = quiet(100);
  settings.report = 2;
  World world(settings);
  const auto a = world.join("a", 100);
  Log log(world);
  world.post(a, 1000);
  world.pass_to(7);
  CHECK(log.applications ==
        Lines{"0: 1 posted 1000", "0: of 1", "0: 1 at 100", "6: 1 is silent", "6: 1 moved 0"});
  world.report(a, 300);
  world.settle_now();
  CHECK(log.applications.at(5) == "7: 1 posted 700");
}

TEST_CASE("happenings count frames by their type on the wire, and errors by their code") {
  World world(quiet(100));
  Log log(world);
  const auto a = world.join("a");
  world.say(a, Ping{7});
  world.say(a, Grant{});
  CHECK(log.frames == Lines{"< 1", "> 2", "< 8", "> 9", "< 4", "> 10", "! 1"});
}
