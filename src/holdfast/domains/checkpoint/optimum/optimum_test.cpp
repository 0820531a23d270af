#include "holdfast/domains/checkpoint/optimum/optimum.hpp"

#include "holdfast/domains/checkpoint/optimum/renewal.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/testing.hpp"
#include "holdfast/models/resilience/job.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

std::vector<StrategySpec> specs(std::string_view text) {
  return parse_strategies(text, strategies()).value();
}

Instance one_processor(double work, const ResilienceCosts& costs, Law law) {
  Instance out;
  out.work = work;
  out.checkpoint = costs.checkpoint;
  out.recovery = costs.recovery;
  out.downtime = costs.downtime;
  out.law = std::move(law);
  return out;
}

Optimum optimum_of(const Instance& instance, std::string_view strategies = "young-daly") {
  REQUIRE(check(instance).has_value());
  REQUIRE(check_renewal(instance).has_value());
  return find_optimum(instance, specs(strategies), {}, {}).value();
}

bool is_within(double found, double expected, double relative) {
  return std::fabs(found - expected) <= relative * std::fabs(expected);
}

std::vector<Law> laws_of_mean(double mean) {
  return {lognormal_law_of_mean(mean, 2.55), weibull_law_of_mean(0.5, mean),
          gamma_law_of_mean(0.5, mean),      weibull_law_of_mean(0.7, mean),
          gamma_law_of_mean(0.7, mean),      exponential_law(mean),
          weibull_law_of_mean(1.5, mean),    lognormal_law_of_mean(mean, 1.41)};
}

/// The least expected makespan where work, checkpoints, recoveries and ages are whole cells and no failure strikes a
/// downtime (D = 0), by plain recursion over all segments, without interpolation: what the grid of the verb must come
/// below, by little. With waits, if asked for: of any number of cells before a segment or a recovery.
class Lattice {
 public:
  Lattice(const RenewalFailures& failures, double cell, std::size_t work, std::size_t checkpoint,
          std::size_t recovery, std::size_t longest_wait)
      : failures_{failures},
        cell_{cell},
        checkpoint_{checkpoint},
        recovery_{recovery},
        longest_wait_{longest_wait} {
    const std::size_t each =
        1 + checkpoint + longest_wait;  // cells of time that one of work may take
    const std::size_t ages = recovery + longest_wait + work * each;
    for (std::size_t a = 0; a <= ages; ++a) {
      cumulative_.push_back(failures.cumulative(at(a)));
      passed_.push_back(a == 0 ? 0 : passed_.back() + time_of(a - 1));
    }
    values_.assign(work + 1, std::vector<double>(ages + 1, 0));
    for (std::size_t left = 1; left <= work; ++left) {
      restarted_ = solve(left);
      for (std::size_t age = 0; age + left * each <= ages; ++age)
        values_[left][age] = best(left, age);
    }
  }

  [[nodiscard]] double makespan(std::size_t work) const { return values_[work][0]; }

 private:
  [[nodiscard]] double at(std::size_t cells) const { return static_cast<double>(cells) * cell_; }
  [[nodiscard]] double time_of(std::size_t age) const {
    return failures_.time_between(at(age), 0, cell_);
  }
  [[nodiscard]] double survival(std::size_t age, std::size_t span) const {
    return std::exp(cumulative_[age] - cumulative_[age + span]);
  }
  [[nodiscard]] double time(std::size_t age, std::size_t span) const {
    double sum = 0;
    for (std::size_t i = 0; i < span; ++i)
      sum += survival(age, i) * (passed_[age + i + 1] - passed_[age + i]);
    return sum;
  }

  [[nodiscard]] double best(std::size_t left, std::size_t age) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t wait = 0; wait <= longest_wait_; ++wait) {
      for (std::size_t work = 1; work <= left; ++work) {
        const std::size_t span = wait + work + checkpoint_;
        const double safe = survival(age, span);
        const double after = work == left ? 0 : values_[left - work][age + span];
        least = std::min(least, time(age, span) + safe * after + (1 - safe) * restarted_);
      }
    }
    return least;
  }

  // From a failure: a wait, a recovery, and the best from there; by bisection of the fixed point.
  double solve(std::size_t left) {
    double low = 0;
    double high = 1e9;
    for (int i = 0; i < 100; ++i) {
      restarted_ = 0.5 * (low + high);
      double found = std::numeric_limits<double>::infinity();
      for (std::size_t wait = 0; wait <= longest_wait_; ++wait) {
        const std::size_t span = wait + recovery_;
        const double safe = survival(0, span);
        found = std::min(found, time(0, span) + (1 - safe) * restarted_ + safe * best(left, span));
      }
      (found > restarted_ ? low : high) = restarted_;
    }
    return high;
  }

  const RenewalFailures& failures_;
  double cell_;
  std::size_t checkpoint_, recovery_, longest_wait_;
  std::vector<double> cumulative_, passed_;
  std::vector<std::vector<double>> values_;
  double restarted_ = 0;
};

}  // namespace

TEST_CASE("optimum: the job that next-step cuts in two, and should not") {
  // Exponential, MTBF 1000 s, C = 500 s, R = D = 0. In one segment 1000 (e^1.46 - 1) = 3305.96, in two equal ones
  // 2000 (e^0.98 - 1) = 3328.91; next-step takes 583.686 and 376.314: 3357.58.
  Instance instance = one_processor(960, {500, 0, 0}, exponential_law(1000));
  instance.segments = {480, 480};
  const Optimum optimum = optimum_of(instance, "next-step,as-given,none");
  CHECK(is_within(optimum.makespan.value, 1000 * std::expm1(1.46), 1e-12));
  CHECK(optimum.cuts == std::vector<double>{960});
  CHECK(is_within(optimum.strategies[0].value, 3357.582913, 1e-6));
  CHECK(is_within(optimum.strategies[1].value, 2000 * std::expm1(0.98), 1e-12));
  CHECK(is_within(optimum.strategies[2].value, 1000 * std::expm1(1.46), 1e-12));
}

TEST_CASE(
    "optimum: exponential failures, the closed form to 1e-6, with and without the job's ends") {
  struct Row {
    double mtbf, work;
    ResilienceCosts costs;
  };
  std::vector<Row> rows{{4, 10, {0.1, 0.1, 1.0 / 60}}, {31536, 36000, {600, 600, 60}},
                        {100, 50, {10, 0, 0}},         {3153.6, 172800, {60, 60, 6}},
                        {1000, 973, {500, 0, 0}},      {1000, 975, {500, 0, 0}}};
  std::mt19937_64 engine(29);
  const auto some = [&](double low, double high) {
    return low * std::pow(high / low, static_cast<double>(engine() >> 11) * 0x1p-53);
  };
  for (int i = 0; i < 12; ++i) {
    const double cost = some(0.003, 0.5);
    rows.push_back({1000,
                    1000 * some(0.02, 4),
                    {1000 * cost, 1000 * some(0.001, 0.5), 1000 * some(1e-4, 0.1)}});
  }
  for (const Row& row : rows) {
    for (const JobEnds ends :
         {JobEnds{true, true}, JobEnds{false, true}, JobEnds{true, false}, JobEnds{false, false}}) {
      CAPTURE(row.mtbf);
      CAPTURE(row.work);
      CAPTURE(row.costs.checkpoint);
      CAPTURE(ends.final_checkpoint);
      CAPTURE(ends.initial_recovery);
      Instance instance = one_processor(row.work, row.costs, exponential_law(row.mtbf));
      instance.ends = ends;
      const JobPlan closed = optimal_job(row.work, row.costs, 1 / row.mtbf, ends);
      const Optimum optimum = optimum_of(instance, "optimal-exponential");
      CHECK(is_within(optimum.makespan.value, closed.expected_time, 1e-6));
      CHECK(is_within(optimum.strategies[0].value, closed.expected_time, 1e-10));
    }
  }
}

TEST_CASE("optimum: a job of more segments than a grid can tell apart is refused") {
  const Instance instance = one_processor(1e9, {1, 1, 0}, weibull_law_of_mean(0.7, 1000));
  const auto found = find_optimum(instance, specs("young-daly"), {}, {});
  REQUIRE_FALSE(found.has_value());
  CHECK(found.error().where == "/work");
}

TEST_CASE("optimum: below the best of whole cells, by little") {
  for (const Law& law : laws_of_mean(800)) {
    CAPTURE(law.text());
    const Instance instance = one_processor(400, {20, 30, 0}, law);
    const RenewalFailures failures(instance);
    const Lattice lattice(failures, 10, 40, 2, 3, 0);
    const Optimum optimum = optimum_of(instance);
    CHECK(optimum.makespan.value <= lattice.makespan(40) * (1 + 1e-6));
    // A best segment is some 15 cells long: whole cells lose about (1/30)^2 / 6 of what checkpoints and failures cost.
    CHECK(optimum.makespan.value >= lattice.makespan(40) * (1 - 3e-4));
  }
}

TEST_CASE("optimum: waiting before a segment or a recovery wins nothing (decision 0048)") {
  for (const double mean : {30.0, 100.0, 800.0}) {
    for (const Law& law : laws_of_mean(mean)) {
      CAPTURE(law.text());
      const Instance instance = one_processor(60, {20, 30, 0}, law);
      const RenewalFailures failures(instance);
      const Lattice at_once(failures, 10, 6, 2, 3, 0);
      const Lattice waits(failures, 10, 6, 2, 3, 8);
      CHECK(waits.makespan(6) >= at_once.makespan(6) * (1 - 1e-12));
    }
  }
}

TEST_CASE("optimum: no strategy is below it, and a grid half as fine says what is wrong" *
          doctest::test_suite("slow")) {
  std::mt19937_64 engine(2029);
  const auto some = [&](double low, double high) {
    return low * std::pow(high / low, static_cast<double>(engine() >> 11) * 0x1p-53);
  };
  for (int i = 0; i < 24; ++i) {
    const double mean = 1000;
    Instance instance =
        one_processor(mean * some(0.1, 3),
                      {mean * some(0.005, 0.3), mean * some(0.001, 0.3), mean * some(1e-3, 0.1)},
                      laws_of_mean(mean)[static_cast<std::size_t>(i % 8)]);
    instance.platform_age = i % 3 == 0 ? 0 : mean * some(0.01, 3);
    CAPTURE(i);
    CAPTURE(instance.work);
    const Optimum optimum =
        optimum_of(instance, "next-step,local-young-daly,young-daly,daly,next-failure,none");
    CHECK(optimum.makespan.error() <= 2e-5 * optimum.makespan.value);
    for (const OnTwoGrids& strategy : optimum.strategies) {
      CHECK(strategy.value >= optimum.makespan.value * (1 - 1e-5));
      CHECK(strategy.error() <= 2e-3 * strategy.value);
    }
  }
}

TEST_CASE("optimum: expected makespans are those of simulations, to 3 standard errors" *
          doctest::test_suite("slow")) {
  const std::array names{"next-step", "local-young-daly", "young-daly"};
  for (const Law& law : laws_of_mean(28800)) {
    Instance instance = one_processor(43200, {600, 600, 300}, law);
    instance.processors = 3;
    instance.rejuvenation = Rejuvenation::all;
    instance.platform_age = 3600;
    instance.ages = {{.age = 3600, .count = 3}};
    const Optimum optimum = optimum_of(instance, "next-step,local-young-daly,young-daly");
    for (std::size_t s = 0; s < names.size(); ++s) {
      CAPTURE(law.text());
      CAPTURE(names[s]);
      CHECK(testing::is_within_errors(testing::makespans(instance, names[s], 4000),
                                      optimum.strategies[s].value, 3));
    }
  }
}

TEST_CASE("optimum: what follows a failure, where more may strike while the job is down") {
  // Exponential: D e^(R/mtbf) + mtbf (e^(R/mtbf) - 1), and every age is as good as another.
  const RenewalFailures memoryless(one_processor(1, {1, 50, 200}, exponential_law(100)));
  CHECK(is_within(memoryless.restart(50).time, expected_recovery_time({1, 50, 200}, 1.0 / 100),
                  1e-12));
  // A downtime of two mean lives: a Monte Carlo of 400 000 renewal processes gives the probability that a recovery
  // of half a mean life succeeds at once.
  const Law law = weibull_law_of_mean(0.7, 100);
  const RenewalFailures failures(one_processor(1, {1, 50, 200}, law));
  Stream stream({.seed = 29, .purpose = Purpose::failures});
  int succeeded = 0;
  constexpr int kRuns = 400'000;
  for (int i = 0; i < kRuns; ++i) {
    double next = law.draw(stream);
    while (next < 200) {
      next += law.draw(stream);
    }
    if (next >= 250) ++succeeded;
  }
  const Restart ready = failures.restart(0);
  double found = 0;
  for (const ReadyAge& at : ready.ages) found += at.probability * failures.survival(at.age, 50);
  const double expected = static_cast<double>(succeeded) / kRuns;
  CHECK(std::fabs(found - expected) <= 3 * std::sqrt(expected * (1 - expected) / kRuns) + 1e-3);
}
