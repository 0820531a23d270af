#include "holdfast/domains/moldable/rounding.hpp"

#include "holdfast/domains/moldable/chain.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace holdfast::moldable {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMostApart = 8;
constexpr double kSearchTolerance = 1e-4;

/// The least area of a number of attempts for each rounded duration, and the choice that gives it.
struct Level {
  std::vector<double> area;        ///< [units + 1]
  std::vector<std::size_t> split;  ///< units of the first half; in the first level: the option
};

/// Chains of a table's options in whole units of time.
class RoundedChain {
 public:
  RoundedChain(const std::vector<FrontierPoint>& options, std::int64_t attempts, double unit,
               std::size_t units)
      : options_{&options}, attempts_{attempts} {
    levels_.push_back(single(unit, units));
    // Bits of `attempts` from the second highest: double, and add one where the bit is set.
    const auto g = static_cast<std::uint64_t>(attempts);
    for (int bit = static_cast<int>(std::bit_width(g)) - 2; bit >= 0; --bit) {
      levels_.push_back(joined(levels_.back(), levels_.back()));
      if ((g >> bit & 1) != 0) levels_.push_back(joined(levels_.back(), levels_.front()));
    }
  }

  [[nodiscard]] double area(std::size_t units) const { return levels_.back().area[units]; }

  /// Returns how often each option is used in the best chain of that duration.
  [[nodiscard]] std::vector<std::int64_t> counts(std::size_t units) const {
    std::vector<std::int64_t> out(options_->size(), 0);
    count(levels_.size() - 1, static_cast<std::uint64_t>(attempts_), units, out);
    return out;
  }

 private:
  Level single(double unit, std::size_t units) const {
    Level level{std::vector<double>(units + 1, kNone), std::vector<std::size_t>(units + 1, 0)};
    for (std::size_t k = 0; k < options_->size(); ++k) {
      // Slower options come first and have less area: later ones only fill the durations left.
      const double needed = std::ceil((*options_)[k].time / unit * (1 - 1e-12));
      if (needed > static_cast<double>(units)) continue;
      for (auto u = static_cast<std::size_t>(needed); u <= units && level.area[u] == kNone; ++u) {
        level.area[u] = (*options_)[k].area;
        level.split[u] = k;
      }
    }
    return level;
  }

  static Level joined(const Level& a, const Level& b) {
    const std::size_t units = a.area.size() - 1;
    Level level{std::vector<double>(units + 1, kNone), std::vector<std::size_t>(units + 1, 0)};
    for (std::size_t u = 0; u <= units; ++u) {
      for (std::size_t part = 0; part <= u; ++part) {
        const double area = a.area[part] + b.area[u - part];
        if (area >= level.area[u]) continue;
        level.area[u] = area;
        level.split[u] = part;
      }
    }
    return level;
  }

  // Levels were made from the highest bit down; for an odd number, the last step added one attempt.
  void count(std::size_t level, std::uint64_t attempts, std::size_t units,
             std::vector<std::int64_t>& out) const {
    const std::size_t part = levels_[level].split[units];
    if (attempts == 1) {
      ++out[part];
      return;
    }
    if (attempts % 2 != 0) {
      count(level - 1, attempts - 1, part, out);
      ++out[levels_.front().split[units - part]];
    } else {
      count(level - 1, attempts / 2, part, out);
      count(level - 1, attempts / 2, units - part, out);
    }
  }

  const std::vector<FrontierPoint>* options_;
  std::int64_t attempts_;
  std::vector<Level> levels_;
};

/// A chain of a closed form: one attempt on another allocation than the others, if that is better.
struct ApartChain {
  std::int64_t apart = 0;  ///< processors of that attempt; 0: none
  TwoPoint rest;
  double area = 0;
};

ApartChain apart_chain(const Speedup& job, const ChainOptions& options, std::int64_t attempts,
                       double limit) {
  ApartChain best{.rest = two_point(options, attempts, limit)};
  best.area = best.rest.area;
  if (best.rest.time > limit * (1 + 1e-12)) best.area = kNone;
  const std::int64_t most = std::min(kMostApart, best.rest.slower.processors);
  for (std::int64_t p = 1; p <= most; ++p) {
    const double left = limit - job.time(p);
    if (left < static_cast<double>(attempts - 1) * options.least_time()) continue;
    const TwoPoint rest = two_point(options, attempts - 1, left);
    const double area = job.area(p) + rest.area;
    if (area < best.area * (1 - 1e-12)) best = {p, rest, area};
  }
  return best;
}

class RoundingSearch {
 public:
  RoundingSearch(const State& state, std::int64_t attempts, const BalanceRules& rules)
      : state_{state},
        attempts_{attempts},
        epsilon_{rules.epsilon},
        inflation_{(1 + rules.slack) / static_cast<double>(state.processors)} {
    const auto g = static_cast<double>(attempts);
    units_ =
        static_cast<std::size_t>(g / epsilon_ * (1 + 1e-12)) + static_cast<std::size_t>(attempts);
    for (const std::uint32_t job : state.pending) {
      const Speedup& speedup = state.jobs[job];
      closed_.emplace_back(speedup, state.limits[job], state.processors, ChainOptions::Of::hull);
      frontiers_.push_back(speedup.is_monotone() ? std::vector<FrontierPoint>{}
                                                 : pareto_frontier(speedup, state.processors));
      has_table_ = has_table_ || !speedup.is_monotone();
    }
  }

  /// Returns true if some allotment is within the target (and the rounding), and keeps it.
  bool fits(double target) {
    const double unit = has_table_ ? epsilon_ * target / static_cast<double>(attempts_) : target;
    const std::size_t units = has_table_ ? units_ : 1;
    std::vector<RoundedChain> tables;
    for (const auto& frontier : frontiers_) {
      if (!frontier.empty()) tables.emplace_back(frontier, attempts_, unit, units);
    }
    for (std::size_t u = has_table_ ? static_cast<std::size_t>(attempts_) : 1; u <= units; ++u) {
      const double limit = static_cast<double>(u) * unit;
      if (area_within(tables, u, limit) > limit) continue;
      keep(tables, u, limit);
      return true;
    }
    return false;
  }
  [[nodiscard]] const Allotment& kept() const { return kept_; }

 private:
  double area_within(const std::vector<RoundedChain>& tables, std::size_t units,
                     double limit) const {
    double area = 0;
    std::size_t table = 0;
    for (std::size_t k = 0; k < closed_.size(); ++k) {
      area += frontiers_[k].empty() ? apart_chain(job(k), closed_[k], attempts_, limit).area
                                    : tables[table++].area(units);
    }
    return inflation_ * area;
  }

  void keep(const std::vector<RoundedChain>& tables, std::size_t units, double limit) {
    kept_.clear();
    std::size_t table = 0;
    for (std::size_t k = 0; k < closed_.size(); ++k) {
      if (frontiers_[k].empty()) {
        keep_closed(apart_chain(job(k), closed_[k], attempts_, limit));
      } else {
        const auto counts = tables[table++].counts(units);
        for (std::size_t option = counts.size(); option-- > 0;) {
          if (counts[option] > 0) {
            kept_.runs.push_back({frontiers_[k][option].processors, counts[option]});
          }
        }
      }
      kept_.end_job();
    }
  }

  void keep_closed(const ApartChain& chain) {
    const std::int64_t all = chain.apart > 0 ? attempts_ - 1 : attempts_;
    const std::int64_t fast = all - chain.rest.slow_attempts;
    std::vector<AttemptRun> parts;
    if (fast > 0) parts.push_back({chain.rest.faster.processors, fast});
    if (chain.rest.slow_attempts > 0) {
      parts.push_back({chain.rest.slower.processors, chain.rest.slow_attempts});
    }
    if (chain.apart > 0) parts.push_back({chain.apart, 1});
    std::ranges::stable_sort(parts, std::ranges::greater{}, &AttemptRun::processors);
    kept_.runs.insert(kept_.runs.end(), parts.begin(), parts.end());
  }

  [[nodiscard]] const Speedup& job(std::size_t k) const { return state_.jobs[state_.pending[k]]; }

  const State& state_;
  std::int64_t attempts_;
  double epsilon_;
  double inflation_;
  std::size_t units_;
  bool has_table_ = false;
  std::vector<ChainOptions> closed_;
  std::vector<std::vector<FrontierPoint>> frontiers_;  ///< empty for closed forms
  Allotment kept_;
};

}  // namespace

double balance_by_rounding(const State& state, std::int64_t attempts, const BalanceRules& rules,
                           double objective, Allotment& out) {
  RoundingSearch search(state, attempts, rules);
  double high = objective;
  if (!search.fits(high)) return kNone;
  Allotment best = search.kept();
  double low = 0;
  while (high - low > kSearchTolerance * high) {
    const double middle = (low + high) / 2;
    if (search.fits(middle)) {
      high = middle;
      best = search.kept();
    } else {
      low = middle;
    }
  }
  out = std::move(best);
  out.bound = allotment_bound(state, attempts, out);
  return allotment_bound(state, attempts, out, 1 + rules.slack);
}

}  // namespace holdfast::moldable
