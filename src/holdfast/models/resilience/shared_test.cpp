#include "holdfast/models/resilience/shared.hpp"

#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace holdfast;

namespace {

// The search ends at this many MTBF: e to that number still fits into a long double.
constexpr double kLongest = 1e4;
constexpr double kNoEnd = std::numeric_limits<double>::infinity();

bool agree(double found, double expected, double relative) {
  return std::fabs(found - expected) <= relative * std::fabs(expected);
}

// The specification's two classes: 100 nodes, a file system of 1 B/s, one job of 60 nodes and two of 20.
std::vector<SharedClass> two_classes(double mtbf, double downtime = 0) {
  return {{.jobs = 1, .nodes = 0.6, .rate = 60 / mtbf, .costs = {120, 120, downtime}},
          {.jobs = 2, .nodes = 0.2, .rate = 20 / mtbf, .costs = {60, 90, downtime}}};
}

// E and U as they stand in a textbook, in long double: nothing here is from the library.
long double plain_time(const SharedClass& c, long double work) {
  const long double f = c.rate;
  return (1 / f + c.costs.downtime) * std::exp(f * c.costs.recovery) *
         (std::exp(f * (work + c.costs.checkpoint)) - 1);
}
long double plain_transfer(const SharedClass& c, long double work) {
  const long double f = c.rate;
  return (std::exp(f * c.costs.checkpoint) - 1) / f +
         (std::exp(f * c.costs.recovery) - 1) / f * (std::exp(f * (work + c.costs.checkpoint)) - 1);
}
double plain_load(const std::vector<SharedClass>& classes, const std::vector<double>& periods) {
  long double load = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    load += classes[i].jobs * classes[i].bandwidth * plain_transfer(classes[i], periods[i]) /
            plain_time(classes[i], periods[i]);
  }
  return static_cast<double>(load);
}
double plain_share(const std::vector<SharedClass>& classes, const std::vector<double>& periods) {
  long double share = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    share += classes[i].jobs * classes[i].nodes * periods[i] / plain_time(classes[i], periods[i]);
  }
  return static_cast<double>(share);
}

// The period of greatest (W - price U)/E, by bisection on the sign of its derivative (on the axis of log W). What
// recoveries cost is the same at every period; left in, it would drown the rest where periods are long.
double searched_period(const SharedClass& c, double of_all) {
  const long double rate = c.rate;
  const long double toll =
      of_all * c.bandwidth / c.nodes * (std::exp(rate * c.costs.checkpoint) - 1) / rate;
  const auto rises = [&](long double work) {
    return (1 - std::exp(-rate * (work + c.costs.checkpoint))) / rate > work - toll;
  };
  long double low = std::log(1e-3L * c.costs.checkpoint);
  long double high = std::log(kLongest / rate);
  for (int step = 0; step < 100; ++step) {
    const long double middle = (low + high) / 2;
    (rises(std::exp(middle)) ? low : high) = middle;
  }
  return static_cast<double>(std::exp((low + high) / 2));
}

// The whole plan by nothing but bisection: for each class, and for the price.
SharedPlan searched_plan(const std::vector<SharedClass>& classes, double limit) {
  const auto periods_at = [&](double price) {
    std::vector<double> out;
    for (const SharedClass& c : classes) out.push_back(searched_period(c, price));
    return out;
  };
  SharedPlan out{.periods = periods_at(0)};
  if (plain_load(classes, out.periods) > limit) {
    double low = 0;
    double high = 1;
    while (plain_load(classes, periods_at(high)) > limit) high *= 2;
    for (int step = 0; step < 60; ++step) {
      out.price = (low + high) / 2;
      (plain_load(classes, periods_at(out.price)) > limit ? low : high) = out.price;
    }
    out.periods = periods_at(high);
  }
  out.load = plain_load(classes, out.periods);
  out.useful_share = plain_share(classes, out.periods);
  return out;
}

double on_grid(int low, int high, double unit) {
  return *rc::gen::inRange(low, high) * unit;
}

// Checkpoints between 3 minutes and an hour, failures between every 20 minutes and every 4 months.
std::vector<SharedClass> drawn_classes() {
  std::vector<SharedClass> out(static_cast<std::size_t>(*rc::gen::inRange(1, 6)));
  for (SharedClass& c : out) {
    c.jobs = on_grid(1, 80, 0.25);
    c.nodes = on_grid(1, 100, 0.001);
    c.bandwidth = on_grid(1, 17, 1.0 / 16);
    c.costs = {on_grid(1, 60, 60.0), on_grid(0, 60, 60.0), on_grid(0, 10, 30.0)};
    c.rate = 1 / (1200 * std::pow(10, on_grid(0, 40, 0.1)));
  }
  return out;
}

// U(W), the expected seconds of transfer until one segment is done and saved, with those that a failure cuts short: c0 + r0 (e^(rate
// (W + C)) - 1), where c0 = (e^(rate C) - 1) / rate and r0 = (e^(rate R) - 1) / rate.
double expected_transfer_time(double work, const ResilienceCosts& costs, double rate) {
  const double failures = std::expm1(rate * (work + costs.checkpoint));
  return (std::expm1(rate * costs.checkpoint) + std::expm1(rate * costs.recovery) * failures) /
         rate;
}

}  // namespace

TEST_CASE("shared: time and transfer of a segment, as 200 000 simulated ones have it") {
  const ResilienceCosts costs{.checkpoint = 3, .recovery = 2, .downtime = 1};
  CHECK(agree(expected_segment_time(10, costs, 1.0 / 20), 21.248411069, 1e-10));
  CHECK(agree(expected_transfer_time(10, costs, 1.0 / 20), 5.162450245, 1e-9));

  Stream stream({.seed = 7, .purpose = Purpose::failures});
  constexpr int kSegments = 200000;
  double time = 0;
  double transfer = 0;
  double squares = 0;
  for (int i = 0; i < kSegments; ++i) {
    double moved = 0;
    double next = sample_exponential(stream, 20);
    while (next < 13) {  // a failure in work or checkpoint, then recoveries until one is whole
      time += next;
      moved += std::max(0.0, next - 10);
      for (;;) {
        time += 1;
        next = sample_exponential(stream, 20);
        time += std::min(next, 2.0);
        moved += std::min(next, 2.0);
        if (next >= 2) break;
      }
      next = sample_exponential(stream, 20);
    }
    time += 13;
    moved += 3;
    transfer += moved;
    squares += moved * moved;
  }
  const double mean = transfer / kSegments;
  const double error = std::sqrt((squares / kSegments - mean * mean) / kSegments);
  CHECK(std::fabs(mean - 5.162450245) <= 4 * error);
  CHECK(time / kSegments == doctest::Approx(21.248411069).epsilon(0.01));
}

TEST_CASE("shared: shares of an attempt are time and transfer over time, and never overflow") {
  const ResilienceCosts costs{.checkpoint = 3, .recovery = 2, .downtime = 1};
  for (const double rate : {1e-9, 1e-3, 0.05, 1.0, 20.0}) {
    for (const double work : {1e-6, 0.1, 10.0, 25.0}) {
      CAPTURE(rate);
      CAPTURE(work);
      const double time = expected_segment_time(work, costs, rate);
      const LongRunShares shares = long_run_shares(work, costs, rate);
      CHECK(agree(shares.useful, work / time, 1e-13));
      CHECK(agree(shares.transfer, expected_transfer_time(work, costs, rate) / time, 1e-13));
    }
  }
  // Never saved: only recoveries remain, (1 - e^-fR) / (1 + f D) of the time.
  const LongRunShares never = long_run_shares(kNoEnd, costs, 0.05);
  CHECK(never.useful == 0);
  CHECK(agree(never.transfer, -std::expm1(-0.1) / 1.05, 1e-15));
  const LongRunShares hopeless = long_run_shares(1e6, costs, 1e3);
  CHECK(hopeless.useful == 0);
  CHECK(agree(hopeless.transfer, 1.0 / 1001, 1e-13));
  // No failures: work and checkpoints take turns.
  CHECK(long_run_shares(9, {3, 2, 1}, 0).useful == 0.75);
  CHECK(long_run_shares(9, {3, 2, 1}, 0).transfer == 0.25);
  CHECK(long_run_shares(kNoEnd, {3, 2, 1}, 0).useful == 1);
  CHECK(long_run_shares(kNoEnd, {3, 2, 1}, 1e-310).useful == 1);
  CHECK(long_run_shares(0, {0, 0, 0}, 0).useful == 1);
  // Checkpoints that cost nothing, all the time: failures cost the recovery and the downtime alone.
  CHECK(agree(long_run_shares(0, {0, 2, 1}, 0.05).useful, std::exp(-0.1) / 1.05, 1e-15));
  CHECK(long_run_shares(1, {1e300, 0, 0}, 1e300).useful == 0);
}

TEST_CASE("shared: a price is a longer checkpoint") {
  struct Row {
    double rate, checkpoint, price, work;
  };
  for (const Row& row : {Row{0.006, 120, 0.7, 274.011029}, Row{2e-4, 60, 3, 1577.384973},
                         Row{1e-3, 5, 0, 96.694817}}) {
    CAPTURE(row.rate);
    const double found = priced_period(row.checkpoint, 1 / row.rate, row.price);
    CHECK(agree(found, row.work, 5e-9));  // printed with ten digits
    const SharedClass c{.jobs = 1, .rate = row.rate, .costs = {.checkpoint = row.checkpoint}};
    CHECK(agree(found, searched_period(c, row.price), 1e-8));
  }
  CHECK(priced_period(60, 1e5, 0) == optimal_period(60, 1e5));
  CHECK(priced_period(60, kNoEnd, 3) == kNoEnd);
  CHECK(priced_period(0, 1e5, 3) == 0);
}

TEST_CASE("shared: two classes, where the file system suffices and where it does not") {
  struct Row {
    double mtbf, downtime, pressure, price, first, second, bound;
  };
  for (const Row& row : {Row{1e5, 0, 0.381828014, 0, 555.116046, 735.123833, 0.707463205},
                         Row{1e4, 0, 1.293132990, 0.470538293, 290.270367, 480.276480, 0.212322067},
                         Row{9e3, 0, 0, 0.812025814, 0, 0, 0.153330222},
                         Row{1e4, 30, 0, 0.172890199, 191.609844, 322.388564, 0.228817476}}) {
    CAPTURE(row.mtbf);
    CAPTURE(row.downtime);
    const auto classes = two_classes(row.mtbf, row.downtime);
    const auto plan = plan_shared(classes, 0);
    REQUIRE(plan);
    if (row.pressure > 0) CHECK(agree(plan_of_each_alone(classes, 0).load, row.pressure, 2e-9));
    CHECK(std::fabs(plan->price - row.price) <= 1e-9);
    if (row.first > 0) {
      CHECK(agree(plan->periods[0], row.first, 2e-9));
      CHECK(agree(plan->periods[1], row.second, 2e-9));
    }
    CHECK(agree(plan->useful_share, row.bound, 5e-9));
    if (row.price > 0) CHECK(agree(plan->load, 1, 1e-12));
  }
  CHECK_FALSE(plan_shared(two_classes(6e3), 0));
  CHECK(agree(least_shared_load(two_classes(6e3), 0), 1.217169, 5e-7));

  const std::vector<SharedClass> slower = {
      {.jobs = 1, .nodes = 0.6, .bandwidth = 0.75, .rate = 60 / 1e5, .costs = {160, 160, 0}},
      {.jobs = 2, .nodes = 0.2, .bandwidth = 0.25, .rate = 20 / 1e5, .costs = {240, 240, 0}}};
  const auto plan = plan_shared(slower, 0);
  REQUIRE(plan);
  CHECK(agree(plan->load, 0.266347820, 2e-9));
  CHECK(agree(plan->periods[0], 627.757943, 2e-9));
  CHECK(agree(plan->periods[1], 1393.498195, 2e-9));
  CHECK(agree(plan->useful_share, 0.614770327, 2e-9));
}

TEST_CASE("shared: no pair of periods on a grid does better, and the best of them comes close") {
  const auto classes = two_classes(1e4);
  const double bound = plan_shared(classes, 0)->useful_share;
  double best = 0;
  double best_first = 0;
  for (double first = 100; first < 1000; first += 0.5) {
    // The second class takes what load is left; its share falls beyond its own best period.
    double low = priced_period(60, 500, 0);
    double high = 1e5;
    if (plain_load(classes, {first, high}) > 1) continue;
    for (int step = 0; step < 60; ++step) {
      const double middle = (low + high) / 2;
      (plain_load(classes, {first, middle}) > 1 ? low : high) = middle;
    }
    const double share = plain_share(classes, {first, high});
    if (share > best) best = share, best_first = first;
  }
  CHECK(best <= bound * (1 + 1e-12));
  CHECK(best >= bound - 1e-7);
  CHECK(best_first == 290.5);
}

TEST_CASE("shared: the closed form finds what a search for periods and price finds") {
  CHECK(rc::check([] {
    const auto classes = drawn_classes();
    const double least = least_shared_load(classes, 0);
    const double most = plan_of_each_alone(classes, 0).load;
    // limits from just above what recoveries take to more than what all classes can use
    const double limit = least + (most - least) * on_grid(1, 23, 0.05);
    const auto plan = plan_shared(classes, 0, limit);
    RC_ASSERT(plan.has_value());
    const SharedPlan slow = searched_plan(classes, limit);
    RC_ASSERT(plan->load <= limit * (1 + 1e-12));
    RC_ASSERT(agree(plan->useful_share, slow.useful_share, 1e-9));
    RC_ASSERT(std::fabs(plan->price - slow.price) <= 1e-6 * (1e-3 + slow.price));
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (plan->periods[i] * classes[i].rate < kLongest)
        RC_ASSERT(agree(plan->periods[i], slow.periods[i], 1e-6));
    }
  }));
}

TEST_CASE("shared: no other periods within the limit are better") {
  CHECK(rc::check([] {
    const auto classes = drawn_classes();
    const double regular = on_grid(0, 10, 0.05);
    const auto plan = plan_shared(classes, regular);
    if (!plan) {
      RC_ASSERT(least_shared_load(classes, regular) >= 1);
      return;
    }
    std::vector<double> periods = plan->periods;
    for (double& period : periods) period *= std::pow(2.0, on_grid(-30, 31, 0.1));
    for (int step = 0; step < 400; ++step) {  // longer until the file system can take it
      const SharedPlan other = shared_outcome(classes, regular, periods);
      if (other.load <= 1) {
        RC_ASSERT(other.useful_share <= plan->useful_share * (1 + 1e-12));
        return;
      }
      for (double& period : periods) period *= 1.1;
    }
  }));
}

TEST_CASE("shared: more of the file system is never worse, and its price falls") {
  CHECK(rc::check([] {
    const auto classes = drawn_classes();
    double share = 0;
    double price = kNoEnd;
    for (double limit = 0.05; limit < 4; limit *= 1.3) {
      const auto plan = plan_shared(classes, 0, limit);
      RC_ASSERT(plan.has_value() || share == 0);
      if (!plan) continue;
      RC_ASSERT(plan->useful_share >= share * (1 - 1e-13));
      RC_ASSERT(plan->price <= price * (1 + 1e-9));
      share = plan->useful_share;
      price = plan->price;
    }
  }));
}

TEST_CASE("shared: the price is what more bandwidth for checkpoints is worth") {
  const auto classes = two_classes(1e4);
  const auto share = [&](double limit) { return plan_shared(classes, 0, limit)->useful_share; };
  const double slope = (share(1 + 1e-5) - share(1 - 1e-5)) / 2e-5;
  CHECK(agree(slope, plan_shared(classes, 0)->price, 1e-7));
}

TEST_CASE("shared: to first order") {
  // Recoveries are neglected: C/P sums to the limit, and the load is above it.
  const auto classes = two_classes(1e4);
  const auto plan = plan_shared_first_order(classes, 0);
  REQUIRE(plan);
  CHECK(agree(120 / plan->periods[0] + 2 * 60 / plan->periods[1], 1, 1e-12));
  CHECK(plan->load > 1);
  for (std::size_t i = 0; i < 2; ++i) {
    const SharedClass& c = classes[i];
    CHECK(agree(plan->periods[i],
                std::sqrt(2 * c.costs.checkpoint / c.rate * (1 + plan->price / c.nodes)), 1e-13));
  }
  // Without contention: Young and Daly's.
  const auto free = plan_shared_first_order(two_classes(1e6), 0);
  CHECK(free->price == 0);
  CHECK(free->periods[0] == young_daly_period(120, 1 / (60 / 1e6)));
  CHECK_FALSE(plan_shared_first_order(classes, 1));
}

TEST_CASE("shared: classes that have nothing to decide") {
  // Without failures no class checkpoints; one segment of 1000 s reads 50 s again after each failure.
  const std::vector<SharedClass> classes = {
      {.jobs = 3, .nodes = 0.1, .rate = 0, .costs = {100, 100, 0}},
      {.jobs = 1, .nodes = 0.5, .rate = 1e-3, .costs = {0, 50, 10}, .segment = 1000},
      {.jobs = 1, .nodes = 0.2, .rate = 1e-3, .costs = {0, 50, 10}, .segment = kNoEnd},
      {.jobs = 0, .nodes = 0.2, .rate = 1e-3, .costs = {60, 60, 0}}};
  const auto plan = plan_shared(classes, 0.01);
  REQUIRE(plan);
  CHECK(plan->periods[0] == kNoEnd);
  CHECK(plan->periods[1] == 1000);
  CHECK(agree(plan->periods[3], optimal_period(60, 1000), 1e-15));
  const double time = (1000 + 10) * std::exp(0.05) * std::expm1(1.0);
  const double reading = std::expm1(0.05) * 1000 * std::expm1(1.0);
  CHECK(agree(plan->useful_share, 0.3 + 0.5 * 1000 / time, 1e-14));
  CHECK(agree(plan->load, 0.01 + reading / time + -std::expm1(-0.05) / 1.01, 1e-14));
  // What they read cannot be planned away.
  CHECK_FALSE(plan_shared(classes, 0.01, 0.1));
  CHECK(plan_shared({}, 0.5)->load == 0.5);
  CHECK_FALSE(plan_shared({}, 1.5));
}

TEST_CASE("shared: limits that are only just met or missed, and numbers of all sizes") {
  const auto classes = two_classes(1e4);
  const double least = least_shared_load(classes, 0);
  const double most = plan_of_each_alone(classes, 0).load;
  CHECK(plan_shared(classes, 0, most)->price == 0);
  CHECK(plan_shared(classes, 0, most * (1 - 1e-14))->price <= 1e-12);
  CHECK_FALSE(plan_shared(classes, 0, least));
  for (const double more : {1e-15, 1e-12, 1e-6, 1e-3}) {
    CAPTURE(more);
    const auto plan = plan_shared(classes, 0, least * (1 + more));
    REQUIRE(plan);
    CHECK(plan->load <= least * (1 + more) * (1 + 1e-14));
    CHECK(std::isfinite(plan->periods[0]));
    CHECK(plan->useful_share > 0);
  }
  // The unit of time does not matter, from microseconds to the age of the universe in them.
  const SharedPlan here = *plan_shared(classes, 0);
  for (const double unit : {1e-12, 1e-3, 1e6, 1e18}) {
    CAPTURE(unit);
    auto scaled = classes;
    for (SharedClass& c : scaled) {
      c.rate /= unit;
      c.costs = {c.costs.checkpoint * unit, c.costs.recovery * unit, c.costs.downtime * unit};
    }
    const auto plan = plan_shared(scaled, 0);
    REQUIRE(plan);
    CHECK(agree(plan->price, here.price, 1e-12));
    CHECK(agree(plan->periods[1], here.periods[1] * unit, 1e-12));
    CHECK(agree(plan->useful_share, here.useful_share, 1e-12));
  }
  // Whatever comes: a plan of numbers within the limit, or none.
  CHECK(rc::check([] {
    std::vector<SharedClass> wild(static_cast<std::size_t>(*rc::gen::inRange(1, 5)));
    const auto magnitude = [] { return std::pow(10.0, on_grid(-30, 31, 1)); };
    for (SharedClass& c : wild) {
      c = {.jobs = magnitude(),
           .nodes = magnitude(),
           .bandwidth = magnitude(),
           .rate = magnitude(),
           .costs = {magnitude(), magnitude(), magnitude()}};
    }
    const auto plan = plan_shared(wild, 0.5);
    if (!plan) return;
    RC_ASSERT(plan->load <= 1 + 1e-12);
    RC_ASSERT(plan->useful_share >= 0 && std::isfinite(plan->useful_share));
    RC_ASSERT(std::isfinite(plan->price));
    for (const double period : plan->periods) RC_ASSERT(period > 0);
  }));
}
