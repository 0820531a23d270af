// Worst cases of the theorems: V4, V6, V7, V8 of the specification.
#include "holdfast/domains/moldable/adversary.hpp"

#include "holdfast/domains/moldable/simulate.hpp"
#include "holdfast/domains/moldable/strategies.hpp"
#include "holdfast/domains/moldable/strategies/lpa.hpp"
#include "holdfast/domains/moldable/strategies/lpa_ratio.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace holdfast::moldable {
namespace {

Metrics simulated(const Instance& instance, std::string_view text) {
  const auto table = strategies();
  const auto spec = parse_strategy(text, table);
  REQUIRE(spec.has_value());
  const auto rule = make_strategy(*spec, instance);
  REQUIRE(rule.has_value());
  const PreparedInstance prepared(instance);
  Simulator simulator(prepared, **rule);
  ErrorRealisation errors;
  fix_errors(instance, errors);
  return simulator.run(errors);
}

}  // namespace

TEST_CASE("theorem 7: one allocation is bad for one job or for many") {
  struct Row {
    std::int64_t processors;
    double lpa_many, ratio_many, ratio_one, lpa_one;
  };
  const Row rows[] = {
      {16, 4, 2, 2, 1}, {64, 8, 4, 4, 1}, {256, 16, 8, 8, 1}, {10'000, 100, 50, 50, 1}};
  for (const Row& row : rows) {
    CAPTURE(row.processors);
    const auto one = theorem_7(row.processors, 1);
    const auto many = theorem_7(row.processors, row.processors);
    REQUIRE(one.has_value());
    REQUIRE(many.has_value());
    const double root = std::sqrt(static_cast<double>(row.processors));
    CHECK(simulated(many->instance, "lpa").makespan == doctest::Approx(row.lpa_many));
    CHECK(simulated(many->instance, "lpa-ratio").makespan == doctest::Approx(row.ratio_many));
    CHECK(simulated(one->instance, "lpa-ratio").makespan / one->reference ==
          doctest::Approx(row.ratio_one));
    CHECK(simulated(one->instance, "lpa").makespan / one->reference ==
          doctest::Approx(row.lpa_one));
    CHECK(simulated(one->instance, "min-area").makespan / one->reference == doctest::Approx(root));
    CHECK(simulated(one->instance, "as-given").makespan == one->reference);
    CHECK(simulated(many->instance, "as-given").makespan == many->reference);
  }
  const Speedup job = theorem_7(16, 1)->instance.jobs.front();
  CHECK(job.time(1) == 1);
  CHECK(job.time(4) == 0.5);
  CHECK(job.time(16) == 0.25);
  CHECK(lpa(job, limits(job, 16), 16, 4) == 16);
  CHECK(lpa_ratio(job, limits(job, 16), 16) == 4);
  CHECK(!theorem_7(15, 1).has_value());
  CHECK(!theorem_7(16, 3).has_value());
}

TEST_CASE("theorem 9: batches take a quarter each") {
  struct Row {
    std::int64_t groups;
    double makespan;
  };
  for (const auto& [groups, makespan] :
       {Row{2, 0.75}, Row{3, 0.875}, Row{5, 1.28125}, Row{8, 2.00390625}}) {
    CAPTURE(groups);
    const auto worst = theorem_9(groups);
    REQUIRE(worst.has_value());
    CHECK(simulated(worst->instance, "batch").makespan == makespan);
    CHECK(simulated(worst->instance, "batch").batches == groups);
    CHECK(worst->bound == makespan);
    CHECK(simulated(worst->instance, "lpa").makespan == 0.5);
    CHECK(simulated(worst->instance, "as-given").makespan == worst->reference);
  }
}

TEST_CASE("theorem 10: sizes and certainty of the clusters") {
  const Clusters two = theorem_10_sizes(2, 0.5);
  CHECK(two.sizes == std::vector<double>{23, 710});
  CHECK(two.certainty[0] == doctest::Approx(0.788577485).epsilon(1e-9));
  CHECK(two.certainty[1] == doctest::Approx(0.974749644).epsilon(1e-9));
  CHECK(two.product == doctest::Approx(0.768665623).epsilon(1e-9));
  CHECK(two.ratio == doctest::Approx(0.19).epsilon(0.02));
  const Clusters three = theorem_10_sizes(3, 0.5);
  CHECK(three.sizes == std::vector<double>{710, 363409, 47632711550});
  CHECK(three.product == doctest::Approx(0.974569830).epsilon(1e-9));
  CHECK(theorem_10_sizes(5, 0.5).ratio < 1);
  CHECK(theorem_10_sizes(6, 0.5).ratio > 1);
  const auto worst = theorem_10(2, 0.5);
  REQUIRE(worst.has_value());
  CHECK(worst->instance.size() == 733);
  CHECK(worst->bound / worst->reference == doctest::Approx(two.ratio));
  CHECK(theorem_10(3, 0.5)->instance.jobs.empty());
}

TEST_CASE("theorem 11: the proof's schedule takes 1, online rules more") {
  const auto fixed = theorem_11(2, true);
  REQUIRE(fixed.has_value());
  CHECK(fixed->instance.processors == 32);
  CHECK(fixed->instance.size() == 15);
  CHECK(simulated(fixed->instance, "as-given").makespan == 1);

  const auto adaptive = theorem_11(2, false);
  REQUIRE(adaptive.has_value());
  CHECK(adaptive->bound == doctest::Approx(0.95));
  for (const char* text :
       {"lpa", "lpa-ratio", "min-time", "min-area", "batch", "batch-fit", "rolling"}) {
    CAPTURE(text);
    const Metrics metrics = simulated(adaptive->instance, text);
    CHECK(metrics.makespan >= adaptive->bound * (1 - 1e-12));
    CHECK(metrics.makespan <= metrics.guarantee * (1 + 1e-12));
  }
  // Equal sharing: two processors each, three for the first two.
  Instance shared = adaptive->instance;
  shared.given.assign(15, {2});
  shared.given[0] = shared.given[1] = {3};
  const double makespan = simulated(shared, "as-given").makespan;
  CHECK(makespan > 1.2);
}

TEST_CASE("V5: batches by failures, and how likely each number is") {
  // R_b = prod_j (1 - q_j^(2^b - 1)): by summing over the failures of two jobs instead.
  struct Row {
    std::int64_t failures;
    int batches;
  };
  for (const auto& [failures, batches] :
       {Row{0, 1}, Row{1, 2}, Row{2, 2}, Row{3, 3}, Row{6, 3}, Row{7, 4}}) {
    Instance instance;
    instance.jobs = {Speedup::roofline(1, 1)};
    instance.failures = {failures};
    CHECK(simulated(instance, "batch").batches == batches);
  }
  const double expected[] = {0.375, 0.486328125, 0.1307988166809082, 0.0078425398096727};
  double found[5] = {};
  for (std::int64_t a = 0; a < 40; ++a) {
    for (std::int64_t b = 0; b < 40; ++b) {
      Instance instance;
      instance.processors = 2;
      instance.jobs = {Speedup::roofline(1, 1), Speedup::roofline(1, 1)};
      instance.failures = {a, b};
      const int batches = *simulated(instance, "batch").batches;
      const double probability = std::pow(0.5, static_cast<double>(a)) * 0.5 *
                                 std::pow(0.25, static_cast<double>(b)) * 0.75;
      if (batches <= 4) found[batches] += probability;
    }
  }
  for (int b = 1; b <= 4; ++b) {
    CHECK(found[b] == doctest::Approx(expected[b - 1]).epsilon(1e-9));
  }
}

}  // namespace holdfast::moldable
