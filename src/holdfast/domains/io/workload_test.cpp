#include "holdfast/domains/io/workload.hpp"

#include "holdfast/base/value.hpp"
#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/domains/io/generator.hpp"
#include "holdfast/domains/io/test_windows.hpp"
#include "holdfast/domains/io/warmup.hpp"
#include "holdfast/domains/io/workload_io.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::io;

namespace {

WorkloadParameters sample_workload(const std::string& file, double machine) {
  Value parameters = Value::object({{"classes", file}, {"machine", machine}});
  return read_workload(parameters, HOLDFAST_SOURCE_DIR "/examples/data").value();
}

double mean_pressure(const std::vector<Instance>& windows) {
  double sum = 0;
  for (const Instance& window : windows) sum += load_of(window).pressure;
  return sum / static_cast<double>(windows.size());
}

}  // namespace

TEST_CASE("io workload: the machines of the source") {
  // Cielo: 8894 nodes of 16 cores, 200 GiB/s; nodes double in ten steps, cores in 3.1, and from the
  // second machine on the file system is t times behind.
  CHECK(machine_of(0).nodes == 8894);
  CHECK(machine_of(0).cores_per_node == 16);
  CHECK(machine_of(0).bandwidth == 200 * std::exp2(30));
  CHECK(machine_of(10).nodes == 17788);
  CHECK(machine_of(3.1).bandwidth == doctest::Approx(200 * std::exp2(30) * 2 / 3.1));
  // The nodes that fill the file system alone stay 167.
  for (const double step : {0., 1., 5., 10.}) {
    const Machine machine = machine_of(step);
    CHECK(std::ceil(machine.bandwidth / machine.node_bandwidth) == 167);
  }
}

TEST_CASE(
    "io workload: a schedule never takes more nodes than there are, and starts no later than it "
    "could") {
  const WorkloadParameters p = sample_workload("io-trilab.csv", 0);
  const std::vector<PlacedRun> runs = make_schedule(p, 1, 0);
  REQUIRE(runs.size() > 100);
  const auto used_at = [&runs](double date) {
    double used = 0;
    for (const PlacedRun& run : runs) {
      if (run.start <= date && date < run.end) used += run.nodes;
    }
    return used;
  };
  for (const PlacedRun& run : runs) CHECK(used_at(run.start) <= p.machine.nodes);
  // Steady: most of the machine is in use in the first ninety days.
  double sum = 0;
  for (int day = 1; day < 90; ++day) sum += used_at(day * 86400.0) / p.machine.nodes / 89;
  CHECK(sum > 0.85);
  CHECK(runs.front().start == 0);
}

TEST_CASE("io workload: windows are what the source describes") {
  struct Row {
    const char* file;
    double machine, applications, applications_tolerance, pressure, pressure_tolerance;
  };
  // Means of the published windows (applications) and of our reference (pressure); one schedule of 20 windows here.
  const Row rows[] = {{"io-trilab.csv", 0, 12.0, 2, 0.227, 0.07},
                      {"io-nersc.csv", 0, 32.6, 5, 0.160, 0.08}};
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const WorkloadParameters p = sample_workload(row.file, row.machine);
    const std::vector<Instance> windows = make_windows(p, 1, 0);
    REQUIRE(windows.size() == 20);
    double applications = 0;
    for (const Instance& window : windows) {
      CHECK(check(window).has_value());
      double nodes = 0;
      for (const Application& application : window.applications) nodes += application.nodes;
      CHECK(nodes <= p.machine.nodes);
      applications += static_cast<double>(window.applications.size()) / 20;
    }
    CHECK(std::abs(applications - row.applications) < row.applications_tolerance);
    CHECK(std::abs(mean_pressure(windows) - row.pressure) < row.pressure_tolerance);
  }
}

TEST_CASE("io workload: the longest windows are not those of the longest gaps") {
  WorkloadParameters p = sample_workload("io-nersc.csv", 0);
  const std::vector<Instance> by_length = make_windows(p, 1, 0);
  p.by_gap = true;
  const std::vector<Instance> by_gap = make_windows(p, 1, 0);
  REQUIRE(by_length.size() == by_gap.size());
  const auto is_shorter = [](const Instance& a, const Instance& b) { return a.end < b.end; };
  CHECK(std::is_sorted(by_length.rbegin(), by_length.rend(), is_shorter));
  CHECK_FALSE(std::is_sorted(by_gap.rbegin(), by_gap.rend(), is_shorter));
  // No window of the other choice is longer than the shortest of these, except for those that are among them.
  const double shortest = by_length.back().end;
  for (const Instance& window : by_gap) {
    if (window.end <= shortest) continue;
    CHECK(std::any_of(by_length.begin(), by_length.end(),
                      [&window](const Instance& other) { return other.end == window.end; }));
  }
}

TEST_CASE(
    "io workload: with their history applications begin with a yield of 1, and output adds "
    "pressure") {
  WorkloadParameters p = sample_workload("io-trilab.csv", 0);
  const std::vector<Instance> fresh = make_windows(p, 3, 1);
  p.full_history = true;
  const std::vector<Instance> old = make_windows(p, 3, 1);
  REQUIRE(fresh.size() == old.size());
  for (std::size_t k = 0; k < old.size(); ++k) {
    for (const Application& application : fresh[k].applications) CHECK(application.release == 0);
    for (const Application& application : old[k].applications) {
      CHECK(application.progress == -application.release);
    }
    CHECK(fresh[k].end == old[k].end);
  }
  p.volume_scale = 2;
  CHECK(mean_pressure(make_windows(p, 3, 1)) > 1.5 * mean_pressure(old));
}

TEST_CASE("io: after a warm-up the rest of a window is shared on as FairShare would have") {
  CHECK(rc::check([] {
    const Instance instance =
        random_window(*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::arbitrary<bool>());
    const Instance rest = after_warmup(instance, 0.4);
    RC_ASSERT(check(rest).has_value());
    RC_ASSERT(std::abs(rest.length() - 0.6 * instance.length()) < 1e-9);
    const Run whole = run_of(instance, "fair-share");
    const Run second = run_of(rest, "fair-share");
    for (std::size_t i = 0; i < whole.yields.size(); ++i) {
      RC_ASSERT(std::abs(whole.yields[i] - second.yields[i]) < 1e-9);
    }
  }));
}

TEST_CASE("io: means of sixths follow an order of the applications") {
  const std::vector<double> yields = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 0, 0.5};
  std::vector<std::uint32_t> order(yields.size());
  std::iota(order.begin(), order.end(), 0U);
  std::reverse(order.begin(), order.end());
  const auto means = mean_of_sixths(yields, order);
  CHECK(means[0] == doctest::Approx(0.25));  // the last two
  CHECK(means[5] == doctest::Approx(0.15));  // the first two
  CHECK_FALSE(mean_of_sixths(yields, {})[0]);
}

TEST_CASE("io: the floor keeps LookAhead from starving one application") {
  double worst = 1, worst_with_floor = 1;
  for (std::uint64_t scenario = 0; scenario < 4; ++scenario) {
    Instance instance =
        generate({.load = 1.1, .length = 2e5}, {.seed = 1, .scenario = scenario}).value();
    const auto least = [&instance] {
      return run_of(instance, "look-ahead-greedy-yield").metrics.minimum_yield;
    };
    worst = std::min(worst, least());
    instance.reading.lookahead_floor = 0.8;
    worst_with_floor = std::min(worst_with_floor, least());
  }
  CHECK(worst < 0.5);
  CHECK(worst_with_floor > 0.65);
}
