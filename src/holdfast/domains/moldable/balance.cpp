#include "holdfast/domains/moldable/balance.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/moldable/chain.hpp"
#include "holdfast/domains/moldable/rounding.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace holdfast::moldable {
namespace {

/// The chains for one target.
struct Probe {
  double area = 0;     ///< (1 + slack) total area / P: seconds
  double relaxed = 0;  ///< the same if attempts could be split
  double slope = 0;    ///< slope of `relaxed`, seconds per second of target, <= 0
  double longest = 0;  ///< seconds, at most the target
  double next = std::numeric_limits<double>::infinity();  ///< least target with another area

  /// Returns the least target for which the same choices are enough.
  [[nodiscard]] double objective() const { return std::max(longest, area); }
};

class Balancer {
 public:
  Balancer(const State& state, std::int64_t attempts)
      : Balancer(state, attempts,
                 attempts > 1 ? ChainOptions::Of::hull : ChainOptions::Of::frontier) {}

  Balancer(const State& state, std::int64_t attempts, ChainOptions::Of table)
      : attempts_{attempts},
        processors_{static_cast<double>(state.processors)},
        chains_(state.pending.size()),
        best_(state.pending.size()) {
    const auto g = static_cast<double>(attempts);
    const bool all_closed = std::ranges::all_of(
        state.pending, [&](std::uint32_t job) { return state.jobs[job].is_monotone(); });
    options_.reserve(state.pending.size());
    double area = 0;
    for (const std::uint32_t job : state.pending) {
      const ChainOptions& option =
          options_.emplace_back(state.jobs[job], state.limits[job], state.processors, table);
      if (attempts == 2 && !all_closed) {
        pairs_.emplace_back(state.jobs[job], state.limits[job], state.processors,
                            ChainOptions::Of::frontier);
      }
      longest_ = std::max(longest_, g * option.least_time());
      highest_ = std::max(highest_, g * option.most_time());
      area += option.least_area();
    }
    least_area_ = g * area;
    set_slack(0);
  }

  /// Counts areas 1 + slack times.
  void set_slack(double slack) { inflation_ = (1 + slack) / processors_; }

  /// Returns a target below which none is possible.
  [[nodiscard]] double lowest() const { return std::max(longest_, inflation_ * least_area_); }
  /// Returns a target at which every chain has its least area.
  [[nodiscard]] double highest() const { return std::max(highest_, lowest()); }

  Probe probe(double target) {
    Probe out;
    for (std::size_t k = 0; k < options_.size(); ++k) {
      TwoPoint chain = two_point(options_[k], attempts_, target);
      out.relaxed += chain.relaxed_area;
      if (chain.slower.processors != 0) {
        out.slope +=
            (chain.slower.area - chain.faster.area) / (chain.slower.time - chain.faster.time);
      }
      if (attempts_ == 2) take_pair(pairs_.empty() ? options_[k] : pairs_[k], target, chain);
      out.area += chain.area;
      out.longest = std::max(out.longest, chain.time);
      out.next = std::min(out.next, chain.next);
      chains_[k] = chain;
    }
    out.area *= inflation_;
    out.relaxed *= inflation_;
    out.slope *= inflation_;
    return out;
  }
  /// Keeps the choices of the last probe.
  void keep() { chains_.swap(best_); }
  [[nodiscard]] const std::vector<TwoPoint>& best() const { return best_; }

 private:
  static void take_pair(const ChainOptions& options, double target, TwoPoint& chain) {
    if (const auto pair = best_pair(options, target)) {
      chain = *pair;
    } else {
      chain.next = std::min(chain.next, pairs_begin(options));
    }
  }

  std::int64_t attempts_;
  double processors_;
  double inflation_ = 0;
  double longest_ = 0;     // the longest of the fastest chains
  double highest_ = 0;     // the longest of the slowest chains
  double least_area_ = 0;  // of all chains
  std::vector<ChainOptions> options_;
  std::vector<ChainOptions> pairs_;  // of two attempts, where they are others
  std::vector<TwoPoint> chains_;
  std::vector<TwoPoint> best_;
};

// Where the line through two points of (log target, log area) meets area = target.
double meeting(double low, double low_area, double high, double high_area) {
  const double below = elementary::log(low_area / low);
  const double above = elementary::log(high_area / high);
  return low * elementary::exp(elementary::log(high / low) * below / (below - above));
}

// Finds the least target that its own area does not exceed, and keeps the choices there. The area
// is a decreasing step function of the target, so every probe shows more than its own answer: if the
// area is too large, it stays so up to the next step; if not, the same choices are enough down to
// the larger of their area and their longest chain.
// @param least  a target that is known not to be too large
double search(Balancer& balancer, double least) {
  double low = std::max(balancer.lowest(), least);
  Probe at = balancer.probe(low);
  if (at.area <= low) {
    balancer.keep();
    return low;
  }
  double low_area = at.area;
  double high = balancer.highest();
  const double after = at.next;
  if (low_area < high) high = low_area;  // the area at that target is no larger
  at = balancer.probe(high);
  balancer.keep();
  double high_area = at.area;
  const auto tighten = [&] {
    // A target below the area of its own choices is too small, whatever they are.
    const bool is_least = at.area >= at.longest;
    high = std::min(high, at.objective());
    return is_least;
  };
  if (tighten()) return high;

  double bound = std::max(low, after);  // every target below is too small
  if (low_area < after) bound = low_area;
  bool halve = false;
  while (bound < high && high - bound > 1e-14 * high) {
    double target = halve ? (bound + high) / 2 : meeting(low, low_area, high, high_area);
    if (!(target >= bound && target < high)) target = bound;
    const double width = high - bound;
    at = balancer.probe(target);
    if (at.area <= target) {
      balancer.keep();
      high_area = at.area;
      if (tighten()) return high;
    } else {
      if (at.area < at.next) {  // no step up to its own area, which is thus the answer
        balancer.probe(at.area);
        balancer.keep();
        return at.area;
      }
      low = target;
      low_area = at.area;
      bound = std::max(at.next, bound);
    }
    halve = !halve && high - bound > width / 2;
  }
  return high;
}

void write(const std::vector<TwoPoint>& chains, std::int64_t attempts, Allotment& out) {
  out.clear();
  for (const TwoPoint& chain : chains) {
    const std::int64_t fast = attempts - chain.slow_attempts;
    if (fast > 0) out.runs.push_back({chain.faster.processors, fast});
    if (chain.slow_attempts > 0) {
      out.runs.push_back({chain.slower.processors, chain.slow_attempts});
    }
    out.end_job();
  }
}

// True if no allotment is better by more than the factor: proven for closed forms, or shown by
// the relaxed bound.
bool is_certified(const State& state, std::int64_t attempts, double factor, double objective,
                  Balancer& balancer) {
  if (attempts == 1 || objective <= factor * balancer.lowest()) return true;
  const bool is_proven = std::ranges::all_of(
      state.pending, [&](std::uint32_t job) { return state.jobs[job].is_monotone(); });
  // With pairs, two attempts are exact up to 8 slower allocations, and within 1/16 otherwise.
  const double parts = attempts == 2 ? 16 : static_cast<double>(attempts);
  if (is_proven && 1 + 1 / parts <= factor) return true;
  const double target = objective / factor;
  return balancer.probe(target).relaxed > target;
}

}  // namespace

void balance_each(const State& state, std::int64_t attempts, std::span<const double> slacks,
                  double epsilon, std::span<Allotment> out) {
  assert(std::ranges::is_sorted(slacks));
  Balancer balancer(state, attempts);
  double objective = 0;
  for (std::size_t k = 0; k < slacks.size(); ++k) {
    // With more slack no target is smaller.
    balancer.set_slack(slacks[k]);
    objective = search(balancer, objective);
    write(balancer.best(), attempts, out[k]);
    out[k].bound = allotment_bound(state, attempts, out[k]);
    if (is_certified(state, attempts, 1 + epsilon, objective, balancer)) continue;
    Allotment other;
    const BalanceRules rules{.slack = slacks[k], .epsilon = epsilon};
    const double found = balance_by_rounding(state, attempts, rules, objective, other);
    if (found < objective) out[k] = std::move(other);
  }
}

void balance(const State& state, std::int64_t attempts, const BalanceRules& rules, Allotment& out) {
  balance_each(state, attempts, {&rules.slack, 1}, rules.epsilon, {&out, 1});
}

double relaxed_bound(const State& state, std::int64_t attempts) {
  // An attempt that may be split mixes allocations even if it is the only one. Mixing neighbours on
  // the frontier would miss better mixtures of distant ones, and the area would not be convex.
  Balancer balancer(state, attempts, ChainOptions::Of::hull);
  // Newton's method on a convex decreasing function, from the left: never beyond the crossing.
  double target = balancer.lowest();
  for (int step = 0; step < 200; ++step) {
    const Probe at = balancer.probe(target);
    const double better = target + (at.relaxed - target) / (1 - at.slope);
    if (!(better > target)) break;
    target = better;
  }
  return target;
}

}  // namespace holdfast::moldable
