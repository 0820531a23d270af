#include "holdfast/models/resilience/shared.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace holdfast {
namespace {

// Returns x / (e^x - 1), the share of a segment's expected time that is not lost to failures.
double undisturbed(double x) {
  if (!(x > 0)) return 1;
  const double more = elementary::expm1(x);
  return std::isfinite(more) ? x / more : 0;
}

// Returns (1 - e^-ax) / (1 - e^-bx) for 0 <= a <= b, correct even if the exponents are denormal or infinite.
double struck_ratio(double part, double whole, double rate) {
  const double struck = -elementary::expm1(-rate * whole);
  if (struck > 0) return -elementary::expm1(-rate * part) / struck;
  return whole > 0 ? part / whole : 0;
}

// Returns 1 / (1 + rate D), the share of the time in which a job is not down.
double up_share(const ResilienceCosts& costs, double rate) {
  return 1 / (1 + rate * costs.downtime);
}

// Returns true for a positive rate. A rate so small that its inverse overflows counts as none.
bool fails(double rate) {
  return std::isfinite(1 / rate);
}

bool writes(const SharedClass& one) {
  return !one.segment && fails(one.rate) && one.costs.checkpoint > 0;
}

/// A sum that falls as the price rises, with its derivative.
struct FallingSum {
  double value = 0;
  double slope = 0;
};

// Returns what checkpoints add to the load. Recoveries are left out, so that a limit just above their load can still be met
// exactly.
FallingSum checkpoint_load(std::span<const SharedClass> classes, double price) {
  FallingSum out;
  for (const SharedClass& one : classes) {
    if (!writes(one)) continue;
    const double mtbf = 1 / one.rate;
    const double whole = elementary::expm1(one.rate * one.costs.checkpoint) * mtbf;  // c0
    const double own_price = one.price(price);
    const double toll = own_price > 0 ? own_price * whole : 0;
    const double own = optimal_period(one.costs.checkpoint + toll, mtbf);
    const double work = toll + own;
    const double length = work + one.costs.checkpoint;
    const double part = one.jobs * one.bandwidth * up_share(one.costs, one.rate) *
                        elementary::exp(-one.rate * (work + one.costs.recovery)) *
                        struck_ratio(one.costs.checkpoint, length, one.rate);
    if (!(part > 0)) continue;
    out.value += part;
    // d(part)/dW = -rate part / (1 - e^-rate(W+C)), dW/d(toll) = rate^-1 / own
    out.slope -= part / -elementary::expm1(-one.rate * length) * one.price(1) * whole / own;
  }
  return out;
}

// Returns the same to first order: the sum of C/P.
FallingSum first_order_load(std::span<const SharedClass> classes, double price) {
  FallingSum out;
  for (const SharedClass& one : classes) {
    if (!writes(one)) continue;
    const double toll = 1 + one.price(price);
    const double part =
        one.jobs * one.bandwidth * std::sqrt(one.costs.checkpoint * one.rate / (2 * toll));
    out.value += part;
    out.slope -= 0.5 * part * one.price(1) / toll;
  }
  return out;
}

// Returns the price at which a falling sum has come down to a target. It uses Newton's method on the logarithm of the sum,
// which is nearly linear for long periods and convex for short ones, so steps that start from 0 do not overshoot. The bracket
// is for steps that leave the range of numbers: if a checkpoint is almost never completed, the sum falls at prices too small
// for a double. @pre 0 < target < the sum at price 0
template <class Sum>
double falling_to(const Sum& sum, double target) {
  constexpr int kMostSteps = 2000;
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  double price = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    const FallingSum here = sum(price);
    if (here.value == target) return price;
    (here.value > target ? low : high) = price;
    double next = price - elementary::log(here.value / target) * (here.value / here.slope);
    const bool is_newton = next > low && next < high;
    if (!is_newton) {
      if (std::isinf(high)) {
        next = low > 0 ? 2 * low : 1;
      } else {
        next = low > 0 ? std::sqrt(low) * std::sqrt(high) : high * 1e-3;
      }
    }
    // The error of Newton's method is about the square of its last step.
    if (is_newton && std::fabs(next - price) <= 1e-12 * next) return next;
    // Otherwise the bracket closes; at its upper end the sum does not exceed the target.
    const bool is_closed = std::isfinite(high) && high - low <= 1e-15 * high;
    if (is_closed || !(next > low && next < high)) return high;
    price = next;
  }
  return high;
}

std::vector<double> priced_periods(std::span<const SharedClass> classes, double price) {
  std::vector<double> out;
  out.reserve(classes.size());
  for (const SharedClass& one : classes) {
    out.push_back(one.segment
                      ? *one.segment
                      : priced_period(one.costs.checkpoint, 1 / one.rate, one.price(price)));
  }
  return out;
}

}  // namespace

LongRunShares long_run_shares(double work, const ResilienceCosts& costs, double rate) noexcept {
  assert(rate >= 0 && work >= 0);
  const double length = work + costs.checkpoint;
  const double up = up_share(costs, rate);
  const double safe = elementary::exp(-rate * costs.recovery);  // no failure strikes a recovery
  const double recovering = -elementary::expm1(-rate * costs.recovery) * up;
  if (!fails(rate)) {
    if (!std::isfinite(length)) return {.useful = std::isinf(work) ? 1.0 : 0.0};
    return length > 0 ? LongRunShares{work / length, costs.checkpoint / length}
                      : LongRunShares{1, 0};
  }
  LongRunShares out;
  const double kept = length > 0 ? work / length : 1;
  if (std::isfinite(length)) out.useful = kept * undisturbed(rate * length) * safe * up;
  out.transfer = recovering + elementary::exp(-rate * work) * safe * up *
                                  struck_ratio(costs.checkpoint, length, rate);
  return out;
}

double priced_period(double checkpoint, double mtbf, double price) noexcept {
  assert(checkpoint >= 0 && mtbf > 0 && price >= 0);
  if (std::isinf(mtbf)) return mtbf;
  const double toll = price > 0 ? price * elementary::expm1(checkpoint / mtbf) * mtbf : 0;
  return toll + optimal_period(checkpoint + toll, mtbf);
}

SharedPlan shared_outcome(std::span<const SharedClass> classes, double regular,
                          std::vector<double> periods) {
  assert(periods.size() == classes.size());
  SharedPlan out{.periods = std::move(periods), .load = regular};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const SharedClass& one = classes[i];
    const LongRunShares shares = long_run_shares(out.periods[i], one.costs, one.rate);
    out.load += one.jobs * one.bandwidth * shares.transfer;
    out.useful_share += one.jobs * one.nodes * shares.useful;
  }
  return out;
}

SharedPlan plan_of_each_alone(std::span<const SharedClass> classes, double regular) {
  return shared_outcome(classes, regular, priced_periods(classes, 0));
}

double least_shared_load(std::span<const SharedClass> classes, double regular) noexcept {
  double load = regular;
  for (const SharedClass& one : classes) {
    const double never = std::numeric_limits<double>::infinity();
    const double work = one.segment.value_or(never);
    load += one.jobs * one.bandwidth * long_run_shares(work, one.costs, one.rate).transfer;
  }
  return load;
}

std::optional<SharedPlan> plan_shared(std::span<const SharedClass> classes, double regular,
                                      double limit) {
  assert(limit > 0);
  SharedPlan plan = plan_of_each_alone(classes, regular);
  if (plan.load <= limit) return plan;
  const double left = limit - least_shared_load(classes, regular);
  if (!(left > 0)) return std::nullopt;
  const auto sum = [&](double price) { return checkpoint_load(classes, price); };
  // Rounding alone may raise the load above the limit.
  const double price = sum(0).value > left ? falling_to(sum, left) : 0;
  plan = shared_outcome(classes, regular, priced_periods(classes, price));
  plan.price = price;
  return plan;
}

std::optional<SharedPlan> plan_shared_first_order(std::span<const SharedClass> classes,
                                                  double regular, double limit) {
  const double left = limit - regular;
  if (!(left > 0)) return std::nullopt;
  const auto sum = [&](double price) { return first_order_load(classes, price); };
  const double price = sum(0).value > left ? falling_to(sum, left) : 0;
  std::vector<double> periods;
  periods.reserve(classes.size());
  for (const SharedClass& one : classes) {
    const double period =
        fails(one.rate) ? young_daly_period(one.costs.checkpoint, 1 / one.rate) : 1 / one.rate;
    periods.push_back(one.segment.value_or(std::sqrt(1 + one.price(price)) * period));
  }
  SharedPlan plan = shared_outcome(classes, regular, std::move(periods));
  plan.price = price;
  return plan;
}

}  // namespace holdfast
