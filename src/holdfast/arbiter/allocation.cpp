#include "holdfast/arbiter/allocation.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>

namespace holdfast::arbiter {
namespace {

/// A rate that is too small by less than this part counts as equal, because the difference comes from rounding.
constexpr double kRounding = 1e-9;

class Allocator {
 public:
  Allocator(std::span<const Claim> claims, double bandwidth)
      : claims_{claims}, left_{bandwidth}, is_fixed_(claims.size(), false) {
    out_.rates.assign(claims.size(), 0);
    out_.causes.assign(claims.size(), Cause::strategy);
    for (const Claim& claim : claims) held_ += claim.held;
  }

  Allocation run(double now, double median_yield, bandwidth::Strategy& strategy) {
    for (;;) {
      gather();
      if (free_.empty()) break;
      decide(now, median_yield, strategy);
      if (!fix()) break;
    }
    for (std::size_t k = 0; k < free_.size(); ++k) out_.rates[free_[k]] = rates_[k];
    return std::move(out_);
  }

 private:
  void gather() {
    free_.clear();
    requests_.clear();
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      if (is_fixed_[i]) continue;
      free_.push_back(i);
      requests_.push_back(claims_[i].pending);
    }
  }

  void decide(double now, double median_yield, bandwidth::Strategy& strategy) {
    rates_.assign(requests_.size(), 0);
    if (!(left_ > 0)) return;
    strategy.decide({.now = now,
                     .bandwidth = left_,
                     .left = std::numeric_limits<double>::infinity(),
                     .window = std::numeric_limits<double>::infinity(),
                     .requests = requests_,
                     .median_yield = median_yield},
                    rates_);
  }

  // Fixes rates that the strategy would make smaller than the held rate or the floor. Returns true if there were any.
  bool fix() {
    bool any = false;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const Claim& claim = claims_[free_[k]];
      if (claim.held > 0 && rates_[k] < claim.held * (1 - kRounding)) {
        give(free_[k], claim.held, Cause::hold);
        held_ -= claim.held;
        any = true;
        continue;
      }
      if (!claim.is_overdue || rates_[k] >= claim.floor * (1 - kRounding)) continue;
      // Only bandwidth that no claim holds is available, because held rates may be fixed later in this decision.
      const double reserved = held_ - claim.held;
      const double rate = std::min(claim.floor, std::max(left_ - reserved, 0.0));
      held_ -= claim.held;
      give(free_[k], rate, Cause::floor);
      any = true;
    }
    return any;
  }

  void give(std::size_t claim, double rate, Cause cause) {
    out_.rates[claim] = rate;
    out_.causes[claim] = cause;
    is_fixed_[claim] = true;
    left_ = std::max(left_ - rate, 0.0);
  }

  std::span<const Claim> claims_;
  double left_;
  double held_ = 0;  // sum of the held rates of claims that are not fixed
  std::vector<bool> is_fixed_;
  std::vector<std::size_t> free_;
  std::vector<bandwidth::Pending> requests_;
  std::vector<double> rates_;
  Allocation out_;
};

}  // namespace

Allocation allocate(std::span<const Claim> claims, double bandwidth, double now,
                    double median_yield, bandwidth::Strategy& strategy) {
  return Allocator(claims, bandwidth).run(now, median_yield, strategy);
}

std::uint64_t equal_part(std::uint64_t whole, std::uint64_t parts, std::uint64_t which) {
  assert(which < parts);
  return whole / parts + (which < whole % parts ? 1 : 0);
}

}  // namespace holdfast::arbiter
