// The core, with clients that behave as the simulator's applications do, reaches the simulator's results.
#include "holdfast/arbiter/testing_writers.hpp"
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

std::vector<double> yields_of_core(const io::Instance& instance, const std::string& policy) {
  World world(quiet(instance.bandwidth), policy);
  play(world, instance);
  return yields_of(world);
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

}  // namespace

TEST_CASE("example 5 of io comes to its exact yields") {
  const io::Instance instance = example_5(1e9);
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

TEST_CASE("those that come together are served in order of posting, as if at the same moment") {
  // Volumes a little smaller: no operation is posted before the one before it has ended.
  const io::Instance instance = example_5(1e9, 0.97);
  for (const char* policy : {"fcfs", "greedy-yield", "look-ahead-greedy-yield"}) {
    INFO(policy);
    Settings settings = quiet(1e9);
    settings.coalesce = 0.002;
    settings.min_grant = 0.125;
    World world(settings, policy);
    play(world, instance, 1e-3);
    CHECK(least(yields_of(world)) == doctest::Approx(18.0 / 23).epsilon(0.01));
    // Where any progress counts, the last to come is ranked first.
    settings.min_grant = 0;
    World strict(settings, policy);
    play(strict, instance, 1e-3);
    CHECK((least(yields_of(strict)) < 0.75) == (std::string(policy) != "fcfs"));
  }
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
    // Strategies that do not look at the volume left, which these clients report only at the end.
    const char* const kPolicies[] = {"fair-share", "fcfs", "greedy-yield", "set-10"};
    const char* policy = kPolicies[*rc::gen::inRange<std::size_t>(0, std::size(kPolicies))];
    compare(instance, policy, kWholeBytes);
  }));
}
