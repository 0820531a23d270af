#include "holdfast/reproduction/enough.hpp"

#include "holdfast/kernel/statistics.hpp"
#include "holdfast/reproduction/sample.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace holdfast::reproduction {
namespace {

constexpr std::uint32_t kInstances = 3;
constexpr std::uint32_t kScenarios = 200;

/// Draws of three instances with means 0, 10 and 20, whose scenarios have the standard deviation 1.
struct Drawn {
  Sample sample;

  explicit Drawn(unsigned seed) {
    std::mt19937 random{seed};
    std::normal_distribution<double> noise;
    for (std::uint32_t i = 0; i < kInstances; ++i) {
      for (std::uint32_t s = 0; s < kScenarios; ++s) {
        sample.entries.push_back({.value = 10.0 * i + noise(random),
                                  .over = 0,
                                  .completed = true,
                                  .group = i,
                                  .unit = i,
                                  .instance = i,
                                  .draw = s});
      }
    }
  }
  [[nodiscard]] Measured of(std::uint32_t draws) const {
    Sample first;
    for (const auto& entry : sample.entries) {
      if (entry.draw < draws) first.entries.push_back(entry);
    }
    const Statistic mean = Statistic::parse("mean").value();
    Measured measured = mean.measure(first);
    measured.draws = draws;
    measured.missing = 1 - static_cast<double>(draws) / kScenarios;
    if (draws < kScenarios) measured.parts = mean.parts(first, draws);
    return measured;
  }
};

Item item_about(double reference, double tolerance) {
  Item item;
  Row row;
  row.reference = reference;
  row.reference_tolerance = Tolerance{.size = tolerance};
  item.rows = {row};
  return item;
}

/// Returns how many draws the number gets.
std::uint64_t draws_for(const Item& item, const Drawn& drawn) {
  Draws draws{.all = kScenarios, .rows = {10}};
  std::vector<Measured> measured;
  do {
    measured = {drawn.of(static_cast<std::uint32_t>(draws.rows[0]))};
  } while (add_draws(item, measured, draws));
  return draws.rows[0];
}

Statement order(double margin) {
  return {.text = "",
          .less = {.row = 0, .number = 0},
          .than = {.row = 1, .number = 0},
          .margin = margin,
          .known = ""};
}

}  // namespace

TEST_CASE(
    "enough draws: what lies between the instances does not count, and the nearer the limit, the "
    "more draws") {
  const Drawn drawn(1);
  CHECK(draws_for(item_about(10, 5), drawn) == 10);   // well within
  CHECK(draws_for(item_about(20, 5), drawn) == 10);   // well beyond
  CHECK(draws_for(item_about(10, 0.7), drawn) > 10);  // standard error of 30 draws: 0.18
  CHECK(draws_for(item_about(10, 0.7), drawn) < kScenarios);
  CHECK(draws_for(item_about(10, 0.04), drawn) == kScenarios);
  CHECK(draws_for(item_about(10, 0), drawn) == kScenarios);
}

TEST_CASE("enough draws: a verdict of a part of the draws is that of all") {
  int of_a_part = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const Drawn drawn(seed);
    const Item item = item_about(10, 0.2 * (seed % 10));
    const std::uint64_t draws = draws_for(item, drawn);
    of_a_part += draws < kScenarios ? 1 : 0;
    const auto is_within = [&](std::uint64_t count) {
      const double value = drawn.of(static_cast<std::uint32_t>(count)).value.value();
      return std::abs(value - 10) <= item.rows[0].reference_tolerance->size;
    };
    CHECK(is_within(draws) == is_within(kScenarios));
  }
  CHECK(of_a_part > 150);
}

TEST_CASE("enough draws: the parts of a mean give its standard error within the instances") {
  Moments ratio;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const Measured measured = Drawn(seed).of(40);
    CHECK(measured.parts.strata == kInstances);
    const std::size_t parts = measured.parts.without.size() / kInstances;
    double squares = 0;
    for (std::size_t i = 0; i < kInstances; ++i) {
      Moments estimates;
      for (std::size_t p = 0; p < parts; ++p) estimates.add(measured.parts.without[i * parts + p]);
      squares += estimates.variance().value();
    }
    ratio.add(squares);
  }
  // A mean of N draws without one of them has the standard deviation 1 / (N - 1).
  CHECK(ratio.mean() ==
        doctest::Approx(kInstances / std::pow(kInstances * 40 - 1, 2)).epsilon(0.05));
}

TEST_CASE(
    "enough draws: an order of numbers with the same draws is settled by their differences, "
    "together") {
  const Drawn drawn(2);
  Item item;
  item.rows.resize(2);
  Measured one = drawn.of(20);
  Measured other = one;
  *other.value += 0.01;  // in every draw: less than the standard error of each, and certain
  for (double& estimate : other.parts.without) estimate += 0.01 + 1e-6 * estimate;
  item.statements = {order(0)};
  Draws draws{.all = kScenarios, .rows = {20, 20}};
  CHECK_FALSE(add_draws(item, std::vector{one, other}, draws));
  // If the second one needs more for another reason, the first one gets them too.
  item.rows[1].reference = *other.value;
  item.rows[1].reference_tolerance = Tolerance{.size = 0.01};
  CHECK(add_draws(item, std::vector{one, other}, draws));
  CHECK(draws.rows == std::vector<std::uint64_t>{80, 80});
  // Not if the order is clear without that.
  item.statements = {order(5)};
  draws.rows = {20, 20};
  CHECK(add_draws(item, std::vector{one, other}, draws));
  CHECK(draws.rows == std::vector<std::uint64_t>{20, 80});
  // Draws that all agree settle nothing.
  for (double& estimate : one.parts.without) estimate = *one.value;
  item.statements = {{.text = "",
                      .less = {.row = 0, .number = 0},
                      .than = {.row = std::nullopt, .number = 50},
                      .margin = 0,
                      .known = ""}};
  item.rows[1] = {};
  draws.rows = {20, 20};
  CHECK(add_draws(item, std::vector{one, other}, draws));
  CHECK(draws.rows == std::vector<std::uint64_t>{80, 20});
}

TEST_CASE(
    "enough draws: numbers that depend on how many there are get all, the others few at first") {
  Item item;
  item.rows.resize(4);
  item.rows[1].statistic = "maximum";
  item.rows[2].statistic = "instance-mean";
  item.rows[3].statistic = "p90";
  Description campaign;
  campaign.instances = 6;
  campaign.scenarios = 30;
  CHECK(first_draws(item, campaign).rows == std::vector<std::uint64_t>{5, 30, 30, 30});
  campaign.instances = 1;
  CHECK(first_draws(item, campaign).rows == std::vector<std::uint64_t>{30, 30, 30, 30});
  campaign.instances = 50;
  campaign.scenarios = 1;
  CHECK(first_draws(item, campaign).rows == std::vector<std::uint64_t>{30, 50, 50, 50});
}

}  // namespace holdfast::reproduction
