#include "holdfast/domains/volatile/set_values.hpp"

#include "holdfast/domains/volatile/testing.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace holdfast;
using namespace holdfast::volatile_workers;

namespace {

SetValues of(const std::vector<UpChain>& chains, SetValues (*by)(std::span<const UpChain* const>)) {
  std::vector<const UpChain*> members;
  members.reserve(chains.size());
  for (const UpChain& chain : chains) members.push_back(&chain);
  return by(members);
}

UpChain chain(double uu, double ur, double ru, double rr) {
  return UpChain({{{uu, ur, 1 - uu - ur}, {ru, rr, 1 - ru - rr}, {0, 0, 1}}});
}

void check_close(double a, double b, double relative) {
  CHECK(std::abs(a - b) <= relative * std::abs(b));
}

}  // namespace

TEST_CASE("set values: closed form and series agree on random sets") {
  Stream stream({.purpose = Purpose::tool});
  for (int run = 0; run < 400; ++run) {
    std::vector<UpChain> chains;
    const std::int64_t members = stream.integer(1, 8);
    for (std::int64_t q = 0; q < members; ++q) {
      chains.emplace_back(testing::any_matrix(stream, run % 2 == 0 ? 0.9 : 0.0));
    }
    const SetValues terms = of(chains, set_values_by_terms);
    const SetValues series = of(chains, set_values_by_series);
    CAPTURE(run);
    // Both are sums of a few hundred rounded terms, some of them negative.
    check_close(series.returns, terms.returns, 1e-11);
    check_close(series.first_moment, terms.first_moment, 1e-11);
    check_close(series.slots_to_failure, terms.slots_to_failure, 1e-11);
    const SetValues chosen = of(chains, set_values);
    check_close(chosen.returns, terms.returns, 1e-11);
  }
}

TEST_CASE("set values: very reliable machines lose no digits") {
  // Down once in 10^12 slots, from up or reclaimed alike: D = 10^12 and E_u = D uu(infinity) nearly.
  const double risk = 1e-12;
  const UpChain one({{{0.9 - risk, 0.1, risk}, {0.2, 0.8 - risk, risk}, {0, 0, 1}}});
  const SetValues set = of({one}, set_values_by_terms);
  check_close(set.slots_to_failure, 1e12, 1e-9);
  check_close(set.returns, 1e12 * 2 / 3, 1e-9);  // stationary share of up: 0.2 / 0.3
  const SetValues series = of({one}, set_values_by_series);
  check_close(series.slots_to_failure, set.slots_to_failure, 1e-9);
}

TEST_CASE("set values: a pair of equal eigenvalues takes matrix powers") {
  const UpChain defective = chain(0.5, 0.3, 0, 0.5);  // M = [[.5, .3], [0, .5]]
  REQUIRE(defective.is_defective());
  // nd(2) = .5^2 + 2 x .5 x .3
  CHECK(std::exp(defective.log_not_down(2)) == doctest::Approx(0.25 + 0.3));
  const SetValues set = of({defective}, set_values);
  CHECK(set.returns == doctest::Approx(1));  // sum of 2^-t
  CHECK(set.first_moment == doctest::Approx(2));
  CHECK(set.slots_to_failure == doctest::Approx(2 + 0.3 / 0.25));  // + sum of t l^(t-1) b
}

TEST_CASE("set values: machines that never go down") {
  // Up for a third of the time: the mean time between common slots up is 3 for one, 9 for two.
  const UpChain third = chain(0.8, 0.2, 0.1, 0.9);
  const SetValues one = of({third}, set_values), two = of({third, third}, set_values);
  CHECK(one.log_step == 0);
  CHECK(one.gap == doctest::Approx(3));
  CHECK(two.gap == doctest::Approx(9));
  CHECK(expected_slots(two, 11, Estimator::restart) == doctest::Approx(91));
  CHECK(expected_slots(two, 11, Estimator::exact) == doctest::Approx(91));
  CHECK(two.slots_to_failure == kInfinity);
}

TEST_CASE("set values: a worker that is never up again") {
  const UpChain lost = chain(0, 0.5, 0, 0.9);
  const SetValues set = of({lost}, set_values);
  CHECK(set.returns == 0);
  CHECK(log_success(set, 1) == 0);
  CHECK(log_success(set, 2) == -kInfinity);
  CHECK(expected_slots(set, 1, Estimator::exact) == 1);
  for (const Estimator estimator : {Estimator::exact, Estimator::paper, Estimator::restart}) {
    CHECK(expected_slots(set, 2, estimator) == kInfinity);
  }
}

TEST_CASE(
    "set values: what is measured by drawing chains is what exact says, not what paper says") {
  // Two alternating workers and a steady one, 4 slots of work: 8.6086 by the exact form, 44.03 as published.
  const std::vector<UpChain> chains = {chain(.3, .6, .7, .2), chain(.3, .6, .7, .2),
                                       chain(.95, .025, .02, .96)};
  const SetValues set = of(chains, set_values);
  Stream stream({.purpose = Purpose::tool, .entity = 7});
  double sum = 0, squares = 0, to_success = 0;
  std::int64_t successes = 0, runs = 0, spent = 0;
  while (successes < 20000) {
    ++runs;
    std::array<int, 3> states{0, 0, 0};
    std::int64_t slot = 1, done = 1;
    bool down = false;
    while (done < 4 && !down) {
      bool all_up = true;
      for (std::size_t q = 0; q < 3; ++q) {
        const auto& m = chains[q].stays();
        const double u = stream.uniform();
        const double up = states[q] == 0 ? m[0] : m[2], paused = states[q] == 0 ? m[1] : m[3];
        states[q] = u < up ? 0 : u < up + paused ? 1 : 2;
        down |= states[q] == 2;
        all_up &= states[q] == 0;
      }
      if (down) break;
      ++slot;
      done += all_up ? 1 : 0;
    }
    // The slot in which a member is down belongs to the next attempt, which starts at once.
    spent += slot;
    if (done < 4) continue;
    ++successes;
    sum += static_cast<double>(slot);
    squares += static_cast<double>(slot * slot);
  }
  const auto n = static_cast<double>(successes);
  const double mean = sum / n;
  const double error = std::sqrt((squares / n - mean * mean) / n);
  CHECK(std::abs(mean - expected_slots(set, 4, Estimator::exact)) < 4 * error);
  CHECK(std::abs(mean - expected_slots(set, 4, Estimator::paper)) > 100 * error);
  const double share = n / static_cast<double>(runs);
  CHECK(share == doctest::Approx(std::exp(log_success(set, 4))).epsilon(0.03));
  to_success = static_cast<double>(spent) / n;
  CHECK(to_success == doctest::Approx(expected_slots(set, 4, Estimator::restart)).epsilon(0.03));
}
