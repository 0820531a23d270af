// What the thesis states and the specification measured, by sampling.
#include "holdfast/domains/workflow/generator.hpp"
#include "holdfast/domains/workflow/testing.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

using namespace holdfast;
using namespace holdfast::workflow;
namespace wt = holdfast::workflow::testing;

namespace {

Moments ratios(const Instance& instance, std::string_view strategy, std::uint64_t scenarios) {
  const PreparedInstance prepared(instance);
  Simulator simulator(prepared, decided(prepared, *wt::strategy(strategy, instance)));
  Moments out;
  std::vector<FirstFailure> first;
  for (std::uint64_t scenario = 0; scenario < scenarios; ++scenario) {
    prepared.failures.draw(wt::key(scenario), first);
    out.add(simulator.run(wt::key(scenario), first).ratio.value());
  }
  return out;
}

void check_near(const Moments& found, double expected, double error) {
  CAPTURE(found.mean());
  CAPTURE(expected);
  CHECK(std::abs(found.mean() - expected) <= 5 * std::hypot(*found.standard_error(), error));
}

}  // namespace

TEST_CASE("published: the slowest of 300 tasks of 10 h in 1, 5 and 7 segments") {
  struct Row {
    std::int64_t segments;
    double mean, error;  // hours
  };
  for (const Row& row :
       {Row{1, 15.11362, 0.0057}, Row{5, 11.64254, 0.0012}, Row{7, 11.56419, 0.00091}}) {
    Instance instance = wt::instance_of(300, std::vector<double>(300, 10));
    instance.mtbf = 1 / 0.0005012541822;
    instance.checkpoints = instance.recoveries = {0.1};
    instance.downtime = 0.0166667;
    instance.segments.assign(300, row.segments);
    check_near(ratios(instance, "as-given", 20'000), row.mean / 10, row.error / 10);
  }
}

TEST_CASE("published: tight instances of Theorem 22") {
  struct Row {
    std::int64_t size;
    std::size_t tasks;
    double min_exp, min_exp_error, check_more, check_more_error;
    std::uint64_t scenarios;
  };
  const Row rows[] = {{2, 146, 3.639, 0.005, 3.214, 0.002, 20'000},
                      {3, 2497, 3.985, 0.008, 2.951, 0.002, 2000}};
  for (const Row& row : rows) {
    CAPTURE(row.size);
    const Instance instance = tight_instance(row.size);
    CHECK(instance.size() == row.tasks);
    const auto parts = wt::segments(instance, "check-more");
    CHECK(parts.front() == 2 * row.size - 1);
    CHECK(wt::segments(instance, "min-exp").front() == 1);
    check_near(ratios(instance, "min-exp", row.scenarios), row.min_exp, row.min_exp_error);
    check_near(ratios(instance, "check-more", row.scenarios), row.check_more, row.check_more_error);
  }
}

namespace {

/// E max of independent variables that are M_i with probability p_i, else 0: largest first, each counts where all larger
/// ones are 0.
double expected_maximum(std::vector<std::pair<double, double>> laws) {
  std::ranges::sort(laws, std::greater<>{});
  double all_zero = 1;
  double sum = 0;
  for (const auto& [value, probability] : laws) {
    sum += all_zero * probability * value;
    all_zero *= 1 - probability;
  }
  return sum;
}

double copies(std::size_t count, double value, double probability) {
  return value * -std::expm1(static_cast<double>(count) * std::log1p(-probability));
}

}  // namespace

TEST_CASE(
    "published: Theorem 24, the slowest of different tasks is at most twice that of equal ones") {
  Stream stream({.seed = 24, .purpose = Purpose::tool});
  double worst = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::vector<std::pair<double, double>> laws;
    double equal = 0;
    const auto count = static_cast<std::size_t>(stream.integer(2, 30));
    for (std::size_t i = 0; i < count; ++i) {
      laws.emplace_back(std::exp(stream.uniform(0, 6)), std::pow(stream.uniform(), 3));
      equal = std::max(equal, copies(count, laws.back().first, laws.back().second));
    }
    worst = std::max(worst, expected_maximum(laws) / equal);
  }
  CHECK(worst <= 2);
  CHECK(worst > 1);
}

TEST_CASE("published: the constant of Theorem 24 is tight") {
  struct Row {
    std::size_t count;
    double value, ratio;
  };
  for (const Row& row : {Row{100, 10, 1.891461}, Row{1000, 100, 1.989015}}) {
    // One that is 1 for certain, the others 0 or M such that all of N are 0 with probability 1 - 1/M.
    const double zero = std::pow(1 - 1 / row.value, 1 / static_cast<double>(row.count));
    std::vector<std::pair<double, double>> laws(row.count - 1, {row.value, 1 - zero});
    laws.emplace_back(1, 1);
    const double equal = std::max(1.0, copies(row.count, row.value, 1 - zero));
    CHECK(expected_maximum(laws) / equal == doctest::Approx(row.ratio).epsilon(1e-6));
  }
}

TEST_CASE("published: the tight instance with 42 411 tasks" * doctest::test_suite("slow")) {
  const Instance instance = tight_instance(4);
  CHECK(instance.size() == 42'411);
  check_near(ratios(instance, "min-exp", 300), 4.43, 0.02);
  check_near(ratios(instance, "check-more", 300), 2.810, 0.004);
}
