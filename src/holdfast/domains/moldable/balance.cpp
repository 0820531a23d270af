#include "holdfast/domains/moldable/balance.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/moldable/chain.hpp"
#include "holdfast/domains/moldable/rounding.hpp"

#include <algorithm>
#include <limits>
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
  Balancer(const State& state, std::int64_t attempts, double slack)
      : Balancer(state, attempts, slack,
                 attempts > 1 ? ChainOptions::Of::hull : ChainOptions::Of::frontier) {}

  Balancer(const State& state, std::int64_t attempts, double slack, ChainOptions::Of table)
      : attempts_{attempts},
        inflation_{(1 + slack) / static_cast<double>(state.processors)},
        chains_(state.pending.size()),
        best_(state.pending.size()) {
    const auto g = static_cast<double>(attempts);
    options_.reserve(state.pending.size());
    double area = 0;
    for (const std::uint32_t job : state.pending) {
      const ChainOptions& option =
          options_.emplace_back(state.jobs[job], state.limits[job], state.processors, table);
      if (attempts == 2) {
        pairs_.emplace_back(state.jobs[job], state.limits[job], state.processors,
                            ChainOptions::Of::frontier);
      }
      lowest_ = std::max(lowest_, g * option.least_time());
      highest_ = std::max(highest_, g * option.most_time());
      area += option.least_area();
    }
    lowest_ = std::max(lowest_, inflation_ * g * area);
    highest_ = std::max(highest_, lowest_);
  }

  /// Returns a target below which none is possible.
  [[nodiscard]] double lowest() const { return lowest_; }
  /// Returns a target at which every chain has its least area.
  [[nodiscard]] double highest() const { return highest_; }

  Probe probe(double target) {
    Probe out;
    for (std::size_t k = 0; k < options_.size(); ++k) {
      TwoPoint chain = two_point(options_[k], attempts_, target);
      out.relaxed += chain.relaxed_area;
      if (chain.slower.processors != 0) {
        out.slope +=
            (chain.slower.area - chain.faster.area) / (chain.slower.time - chain.faster.time);
      }
      if (!pairs_.empty()) take_pair(pairs_[k], target, chain);
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
  double inflation_;
  double lowest_ = 0;
  double highest_ = 0;
  std::vector<ChainOptions> options_;
  std::vector<ChainOptions> pairs_;  // of two attempts
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
double search(Balancer& balancer) {
  double low = balancer.lowest();
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

void balance(const State& state, std::int64_t attempts, const BalanceRules& rules, Allotment& out) {
  Balancer balancer(state, attempts, rules.slack);
  const double objective = search(balancer);
  write(balancer.best(), attempts, out);
  out.bound = allotment_bound(state, attempts, out);
  if (is_certified(state, attempts, 1 + rules.epsilon, objective, balancer)) return;
  Allotment other;
  const double found = balance_by_rounding(state, attempts, rules, objective, other);
  if (found < objective) out = std::move(other);
}

double relaxed_bound(const State& state, std::int64_t attempts) {
  // An attempt that may be split mixes allocations even if it is the only one. Mixing neighbours on
  // the frontier would miss better mixtures of distant ones, and the area would not be convex.
  Balancer balancer(state, attempts, 0, ChainOptions::Of::hull);
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

void balance_by_halving(const State& state, std::int64_t attempts, const BalanceRules& rules,
                        Allotment& out, double tolerance) {
  Balancer balancer(state, attempts, rules.slack);
  double low = balancer.lowest();
  double high = low;
  if (balancer.probe(low).area > low) {
    high = balancer.highest();
    while (high - low > tolerance * high) {
      const double middle = (low + high) / 2;
      (balancer.probe(middle).area <= middle ? high : low) = middle;
    }
  }
  balancer.probe(high);
  balancer.keep();
  write(balancer.best(), attempts, out);
  out.bound = allotment_bound(state, attempts, out);
}

}  // namespace holdfast::moldable
