#include "holdfast/base/value.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/contract/domain.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Cases in which the domain `machine` must equal simpler domains: each limit is one of section 5 of its specification.

using namespace holdfast;

namespace {

// A domain at work on one document, strategy by strategy.
class Bench {
 public:
  Bench(std::string_view domain, const std::string& document, const std::string& strategies)
      : domain_{*find_domain(domain).value()} {
    const auto specs = parse_strategies(strategies, domain_.strategies);
    if (!specs) FAIL(specs.error().text());
    auto point = domain_.open(parse_json(document).value(), *specs, ".");
    if (!point) FAIL(point.error().text());
    point_ = std::move(*point);
  }

  Outcome run(std::uint64_t seed, std::uint64_t scenario = 0, std::size_t strategy = 0) {
    return point_->run({.seed = seed, .scenario = scenario}, strategy, workspace_, true).value();
  }
  double metric(const Outcome& outcome, std::string_view name) const {
    for (std::size_t i = 0; i < domain_.metrics.size(); ++i) {
      if (domain_.metrics[i].name == name) return outcome.metrics[i].value();
    }
    FAIL("no such metric");
    return 0;
  }

 private:
  const Domain& domain_;
  std::unique_ptr<Point> point_;
  Workspace workspace_;
};

// Small whole numbers, the same for a seed everywhere (Steele, Lea and Flood 2014).
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_{seed} {}
  std::int64_t between(std::int64_t low, std::int64_t high) {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    mixed ^= mixed >> 31;
    return low + static_cast<std::int64_t>(mixed % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  std::uint64_t state_;
};

bool is_close(double a, double b, double relative) {
  return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

}  // namespace

TEST_CASE("machine: one job on all nodes is a job of checkpoint, under each of its rules") {
  constexpr int kSeeds = 20;
  for (const std::string law : {R"({"distribution": "exponential", "mtbf": 4e6})",
                                R"({"distribution": "weibull", "shape": 0.7, "mtbf": 4e6})"}) {
    // The rule of `machine`, and what `checkpoint` calls it.
    const std::pair<std::string, std::string> rules[] = {
        {"young-daly", "young-daly"},
        {"daly", "daly"},
        {"optimal-exponential", "optimal-exponential"},
        {"local-young-daly", "local-young-daly"},
        {"next-step", "next-step"},
        {"fixed:interval=3000", "fixed:3000"}};
    for (const auto& [rule, name_there] : rules) {
      CAPTURE(law);
      CAPTURE(rule);
      Bench single(
          "checkpoint",
          fmt::format(R"({{"work": 4e5, "processors": 500, "checkpoint": 200, "recovery": 150,
                   "downtime": 60, "platform_age": 1e6, "failures": {}}})",
                      law),
          name_there);
      Bench machine(
          "machine",
          fmt::format(R"({{"nodes": 500, "bandwidth": 1, "downtime": 60, "platform_age": 1e6,
                    "failures": {}, "jobs": [{{"nodes": 500, "work": 4e5, "checkpoint": 200, "recovery": 150}}]}})",
                      law),
          fmt::format("fcfs:period={0},alone:period={0},most-overdue:period={0}", rule));
      for (int seed = 1; seed <= kSeeds; ++seed) {
        CAPTURE(seed);
        const auto number = static_cast<std::uint64_t>(seed);
        const Outcome wanted = single.run(number);
        for (std::size_t strategy = 0; strategy < 3; ++strategy) {
          const Outcome found = machine.run(number, 0, strategy);
          for (const std::string_view name : {"makespan", "failures", "checkpoints"}) {
            CAPTURE(name);
            CHECK(is_close(machine.metric(found, name), single.metric(wanted, name), 1e-9));
          }
        }
      }
    }
  }
}

TEST_CASE("machine: without failures yields are those of io") {
  const std::string strategies =
      "fair-share,fcfs:waiting=blocking,greedy-yield,greedy-com,look-ahead-greedy-yield,"
      "best-next-event";
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Draws numbers(seed);
    const std::int64_t count = numbers.between(2, 6);
    std::string jobs, applications;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t nodes = numbers.between(1, 5), work = numbers.between(3, 30);
      const std::int64_t input = numbers.between(1, 9), volume = numbers.between(1, 9);
      const char* comma = i == 0 ? "" : ", ";
      jobs += fmt::format(R"({}{{"nodes": {}, "input": {}, "checkpoint": {}, "period": {}}})",
                          comma, nodes, input, volume, work);
      // The last phase ends after the window: all go on until then.
      std::string phases = fmt::format(R"({{"io": {}}}, {{"work": {}}})", input, work);
      for (int k = 0; k < 80; ++k) {
        phases += fmt::format(R"(, {{"io": {}}}, {{"work": {}}})", volume, work);
      }
      applications += fmt::format(R"({}{{"nodes": {}, "bandwidth": {}, "phases": [{}]}})", comma,
                                  nodes, std::min(1.0, 0.25 * static_cast<double>(nodes)), phases);
    }
    Bench io("io",
             fmt::format(R"({{"bandwidth": 1, "window": [0, 240], "applications": [{}]}})",
                         applications),
             "fair-share,fcfs,greedy-yield,greedy-com,look-ahead-greedy-yield,best-next-event");
    Bench machine(
        "machine",
        fmt::format(R"({{"nodes": 40, "bandwidth": 1, "node_bandwidth": 0.25, "horizon": 240,
                "failures": {{"events": []}}, "jobs": [{}]}})",
                    jobs),
        strategies);
    for (std::size_t strategy = 0; strategy < 6; ++strategy) {
      CAPTURE(strategy);
      const Outcome wanted = io.run(1, 0, strategy);
      const Outcome found = machine.run(1, 0, strategy);
      const auto& yields = *wanted.details.find("yields")->array_items();
      const auto& all = *found.details.find("jobs")->array_items();
      REQUIRE(yields.size() == all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        CAPTURE(i);
        CHECK(std::abs(all[i].find("yield")->number() - yields[i].number()) <= 1e-12);
      }
    }
  }
}

TEST_CASE("machine: with a file system without limit every strategy is `alone`") {
  const auto document = [](std::string_view bandwidth) {
    return fmt::format(R"({{"nodes": 60, {} "node_bandwidth": 2, "downtime": 5, "horizon": 20000,
      "warmup": 1000, "failures": {{"mtbf": 60000}}, "jobs": [
      {{"nodes": 30, "checkpoint": 900}}, {{"nodes": 20, "checkpoint": 800, "input": 50}},
      {{"nodes": 10, "checkpoint": 500, "work": 7000, "output": 40}}]}})",
                       bandwidth);
  };
  const std::string strategies =
      "alone,node-share,fcfs,least-waste,most-overdue,greedy-yield,set-10";
  Bench limited("machine", document("\"bandwidth\": 70,"), strategies);
  Bench unlimited("machine", document(""), strategies);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    // `alone` has no contention whatever the bandwidth, as long as it is above that of each job.
    const Outcome wanted = limited.run(seed);
    for (std::size_t strategy = 0; strategy < 7; ++strategy) {
      CAPTURE(strategy);
      const Outcome found = unlimited.run(seed, 0, strategy);
      CHECK(to_json(found.details) == to_json(unlimited.run(seed).details));
      CHECK(unlimited.metric(found, "useful_share") == limited.metric(wanted, "useful_share"));
    }
  }
}

TEST_CASE("machine: endless jobs under `alone` reach the closed form") {
  // One class on 40 nodes: W/E(W) with f = 20/2e5, C = 60, R = 60, D = 10 at the period asked for.
  constexpr double kRate = 20 / 2e5, kWork = 1000, kCost = 60, kDowntime = 10;
  const double expected = kWork / ((1 / kRate + kDowntime) * std::exp(kRate * kCost) *
                                   std::expm1(kRate * (kWork + kCost)));
  Bench machine("machine",
                R"({"nodes": 40, "bandwidth": 1, "downtime": 10, "horizon": 2e6, "warmup": 1e5,
      "failures": {"mtbf": 2e5}, "jobs": [{"nodes": 20, "checkpoint": 60, "period": 1000},
      {"nodes": 20, "checkpoint": 60, "period": 1000}]})",
                "alone");
  constexpr int kRuns = 20;
  double sum = 0, squares = 0;
  for (std::uint64_t scenario = 0; scenario < kRuns; ++scenario) {
    const double share = machine.metric(machine.run(1, scenario), "useful_share");
    sum += share;
    squares += share * share;
  }
  const double mean = sum / kRuns;
  const double error = std::sqrt((squares / kRuns - mean * mean) / (kRuns - 1));
  CAPTURE(mean);
  CHECK(std::abs(mean - expected) <= 3 * error);
  CHECK(error < 0.01);
}
