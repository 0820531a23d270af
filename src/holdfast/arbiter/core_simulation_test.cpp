// The core with clients that do as the simulator's applications do comes to what the simulator comes to.
#include "holdfast/arbiter/testing.hpp"
#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/domains/io/examples.hpp"
#include "holdfast/domains/io/instance.hpp"
#include "holdfast/domains/io/simulate.hpp"
#include "holdfast/domains/io/strategies.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::arbiter;
using namespace holdfast::arbiter::testing;

namespace {

/// An application of a window as a client, which moves exactly at the rate that it was granted.
class Writer {
 public:
  Writer(World& world, const io::Application& application, const std::string& name)
      : world_(&world), application_(&application), cursor_(application) {
    id_ = world.join(name, static_cast<std::uint64_t>(application.bandwidth));
  }

  void begin_phase() {
    const io::Phase* phase = cursor_.next(*application_);
    since_ = world_->now();
    is_over_ = phase == nullptr;
    if (is_over_) return;
    writes_ = phase->kind == io::Phase::Kind::io;
    left_ = phase->amount;
    if (!writes_) return;
    volume_ = phase->amount;
    world_->post(id_, static_cast<std::uint64_t>(volume_));
  }
  [[nodiscard]] double end() const {
    if (is_over_) return Core::kNever;
    return left_ > 0 ? since_ + left_ / speed() : since_;
  }
  /// Counts what was done until now; call it before the rate changes.
  void advance() {
    left_ -= speed() * (world_->now() - since_);
    since_ = world_->now();
    rate_ = writes_ ? static_cast<double>(world_->rate(id_)) : 0;
  }
  void follow() { rate_ = writes_ ? static_cast<double>(world_->rate(id_)) : 0; }
  void finish() {
    if (writes_) world_->done(id_, static_cast<std::uint64_t>(volume_));
    writes_ = false;
    rate_ = 0;
  }

 private:
  [[nodiscard]] double speed() const { return writes_ ? rate_ : 1; }

  World* world_;
  const io::Application* application_;
  io::PhaseCursor cursor_;
  ConnectionId id_ = 0;
  bool is_over_ = false;
  bool writes_ = false;
  double left_ = 0;  // bytes or seconds
  double since_ = 0;
  double rate_ = 0;
  double volume_ = 0;
};

std::vector<double> yields_of_core(const io::Instance& instance, const std::string& policy) {
  World world(quiet(instance.bandwidth), policy);
  std::vector<Writer> writers;
  for (std::size_t i = 0; i < instance.applications.size(); ++i) {
    writers.emplace_back(world, instance.applications[i], fmt::format("{:03}", i));
  }
  for (Writer& one : writers) one.begin_phase();
  world.settle_now();
  for (Writer& one : writers) one.follow();
  while (world.now() < instance.end) {
    double next = instance.end;
    for (const Writer& one : writers) next = std::min(next, one.end());
    next = std::min(next, std::max(world.core().wake(), world.now()));
    world.pass_to(next);  // whatever the core does at that date, rates held until then
    std::vector<std::size_t> ended;
    for (std::size_t i = 0; i < writers.size(); ++i) {
      if (writers[i].end() <= next) ended.push_back(i);
    }
    for (Writer& one : writers) one.advance();
    for (const std::size_t i : ended) {
      writers[i].finish();
      writers[i].begin_phase();
    }
    world.settle_now();
    for (Writer& one : writers) one.follow();
  }
  std::vector<double> out;
  for (const Standing& one : world.core().standings(world.now())) out.push_back(one.yield);
  return out;
}

std::vector<double> yields_of_simulator(const io::Instance& instance, const std::string& policy) {
  const auto strategy = std::move(make_policy(policy).value().strategy);
  return io::simulate(instance, io::load_of(instance), *strategy).yields;
}

void compare(const io::Instance& instance, const std::string& policy, double tolerance) {
  const auto ours = yields_of_core(instance, policy);
  const auto theirs = yields_of_simulator(instance, policy);
  RC_ASSERT(ours.size() == theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!(std::abs(ours[i] - theirs[i]) <= tolerance)) {
      RC_FAIL(
          fmt::format("{}, application {}: found {}, expected {}", policy, i, ours[i], theirs[i]));
    }
  }
}

double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

/// Whole bytes of a rate of 1e9 bytes/s, over the some hundred operations of a window.
constexpr double kWholeBytes = 1e-6;

}  // namespace

TEST_CASE("example 5 of io comes to its exact yields") {
  auto example = io::make_example("example-5", 6);
  REQUIRE(example);
  io::Instance& instance = example->instance;
  instance.bandwidth *= 1e9;
  for (io::Application& one : instance.applications) {
    one.bandwidth *= 1e9;
    for (io::Phase& phase : one.phases) {
      if (phase.kind == io::Phase::Kind::io) phase.amount *= 1e9;
    }
  }
  // Thesis, section 7.5; the specification of io has the fractions.
  const std::pair<const char*, double> kRows[] = {
      {"fair-share", 425.0 / 828}, {"fcfs", 18.0 / 23},   {"greedy-yield", 18.0 / 23},
      {"greedy-com", 18.0 / 23},   {"set-10", 18.0 / 23}, {"look-ahead-greedy-yield", 18.0 / 23},
  };
  for (const auto& [policy, expected] : kRows) {
    INFO(policy);
    CHECK(std::abs(least(yields_of_core(instance, policy)) - expected) <= kWholeBytes);
  }
  const std::string periodic = fmt::format("periodic-greedy-yield:period={}", 23.0 / 24);
  CHECK(std::abs(least(yields_of_core(instance, periodic)) - 317.0 / 552) <= kWholeBytes);
}

TEST_CASE("random windows come to the yields of the simulator") {
  CHECK(rc::check([] {
    io::Instance instance;
    instance.bandwidth = 1e9;
    instance.reading.learn_at_completion = true;
    // At least half a second: what RapidCheck draws at first is small.
    const auto amount = [] { return 0.5 + *rc::gen::inRange(0, 1'000'000) / 1e5; };
    const auto count = *rc::gen::inRange(2, 8);
    for (int i = 0; i < count; ++i) {
      io::Application one{
          .id = std::to_string(i), .bandwidth = 1e9 / *rc::gen::inRange(1, 4), .repeat = true};
      one.bandwidth = std::floor(one.bandwidth);
      for (int k = 0; k < 3; ++k) {
        one.phases.push_back({io::Phase::Kind::io, std::floor(amount() * 1e9)});
        one.phases.push_back({io::Phase::Kind::work, amount() * count});
      }
      instance.applications.push_back(one);
    }
    instance.end = 60;
    RC_ASSERT(io::check(instance).has_value());
    // Those that do not look at what is left, which these clients say at the end alone.
    const char* const kPolicies[] = {"fair-share", "fcfs", "greedy-yield", "set-10"};
    const char* policy = kPolicies[*rc::gen::inRange<std::size_t>(0, std::size(kPolicies))];
    compare(instance, policy, kWholeBytes);
  }));
}
