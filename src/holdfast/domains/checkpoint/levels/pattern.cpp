#include "holdfast/domains/checkpoint/levels/pattern.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/minimum.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace holdfast::checkpoint {
namespace {

constexpr double kUnlikely = std::numeric_limits<double>::infinity();
/// The range of periods that a search covers: from the first-order period divided by kShorter to kLonger times it.
constexpr double kShorter = 32;
constexpr double kLonger = 4;
/// Accuracy of the logarithm of a period.
constexpr double kTolerance = 5e-10;

// An event of probability 0 adds nothing, even if its time is infinite.
double weighted(double chance, double time) {
  return chance > 0 ? chance * time : 0;
}

/// The time from a failure until the job works again.
struct Recoveries {
  double from_local = 0;   ///< expected seconds if the local checkpoints survived
  double from_global = 0;  ///< expected seconds if they did not
  double falls_back = 0;   ///< chance that a worse failure strikes a recovery from local ones
};

// Each attempt pays the downtime; after a failure in it the next attempt follows, and the worst failure so far decides.
Recoveries recoveries_of(const TwoLevels& levels, double rate) {
  const double share = levels.local.share;
  const double downtime = levels.global.downtime;
  Recoveries out;
  // Failures in a downtime interrupt nothing, but may destroy the local checkpoints.
  const double worse_in_downtime = -elementary::expm1(-rate * (1 - share) * downtime);
  out.from_global = expected_recovery_time(levels.global, rate);
  const double struck = -elementary::expm1(-rate * levels.local.recovery);
  const double stays = 1 - worse_in_downtime;
  // D, then with probability `stays` an attempt of R1, which a failure of either kind may strike; otherwise R without another
  // D.
  const double attempt = struck / rate;
  const double from_global_at_once = out.from_global - downtime;
  const double again = stays * struck * share;
  out.from_local = (downtime + weighted(worse_in_downtime, from_global_at_once) + stays * attempt +
                    weighted(stays * struck * (1 - share), out.from_global)) /
                   (1 - again);
  out.falls_back = (worse_in_downtime + stays * struck * (1 - share)) / (1 - again);
  return out;
}

// The work of a segment to first order, for a given number of segments.
double usual_work(std::int64_t segments, const TwoLevels& levels, double rate) {
  const auto n = static_cast<double>(segments);
  const double q = levels.local.share;
  const double cost = levels.global.checkpoint + (n - 1) * levels.local.checkpoint;
  return std::sqrt(2 * cost / (n * rate * (q + (1 - q) * n)));
}

// The best period of patterns with that many segments.
Pattern best_of(std::int64_t segments, const TwoLevels& levels, double rate) {
  const double usual = usual_work(segments, levels, rate);
  const auto value = [&](double log) {
    const Pattern pattern{.work = elementary::exp(log), .segments = segments};
    return elementary::log(expected_time(pattern, levels, rate)) - log;
  };
  const double log_work = find_minimum(value, elementary::log(usual / kShorter),
                                       elementary::log(usual * kLonger), kTolerance);
  return {.work = elementary::exp(log_work), .segments = segments};
}

// The number of segments with the least value, found by steps that are halved when neither direction is better.
template <class Value>
std::int64_t climb(std::int64_t start, Value value) {
  std::int64_t best = start;
  double least = value(best);
  for (std::int64_t step = std::max<std::int64_t>(1, best / 4); step > 0;) {
    bool has_won = false;
    for (const std::int64_t next : {best - step, best + step}) {
      if (next < 1 || next > kMostSegments) continue;
      const double found = value(next);
      if (!(found < least)) continue;
      best = next;
      least = found;
      has_won = true;
      break;
    }
    if (!has_won) step /= 2;
  }
  return best;
}

// The patterns into which a job is cut, and their time. Their number is the better of the two next to what the best period
// gives.
struct Cut {
  JobPattern cut;
  double time = kUnlikely;
};
Cut cut_of_job(double work, std::int64_t segments, const TwoLevels& levels, double rate) {
  const Pattern endless = best_of(segments, levels, rate);
  const double patterns = work / (endless.work * static_cast<double>(segments));
  Cut best{
      .cut = {.pattern = {.work = work / static_cast<double>(segments), .segments = segments}}};
  for (const double count : {std::floor(patterns), std::ceil(patterns)}) {
    if (!(count >= 1) || count > 1e15) continue;
    const Pattern pattern{.work = work / (count * static_cast<double>(segments)),
                          .segments = segments};
    const double time = count * expected_time(pattern, levels, rate);
    if (time < best.time) {
      best = {{pattern, static_cast<std::int64_t>(count)}, time};
    }
  }
  return best;
}

}  // namespace

TwoLevels levels_of(const Instance& instance) {
  return {.global = instance.costs(), .local = instance.local};
}

// With j segments safe, E_j = (time of the attempt) + p E_(j+1) + (1 - p) (q (local recovery, then E_j or, if a worse failure
// came, E_0) + (1 - q) (global recovery, then E_0)); with j = 0 the recovery is global. Each E_j is a_j + b_j E_0.
double expected_time(const Pattern& pattern, const TwoLevels& levels, double rate) {
  assert(pattern.work > 0 && pattern.segments >= 1 && rate > 0);
  const double q = levels.local.share;
  const Recoveries recoveries = recoveries_of(levels, rate);
  const double after_failure =
      weighted(q, recoveries.from_local) + weighted(1 - q, recoveries.from_global);
  const double falls_back = q * recoveries.falls_back + (1 - q);
  double constant = 0;
  double of_start = 0;
  for (std::int64_t j = pattern.segments; j-- > 0;) {
    const bool is_last = j + 1 == pattern.segments;
    const double length =
        pattern.work + (is_last ? levels.global.checkpoint : levels.local.checkpoint);
    const double struck = -elementary::expm1(-rate * length);
    const double safe = elementary::exp(-rate * length);
    const double back = j == 0 ? 1 : falls_back;
    const double recovery = j == 0 ? recoveries.from_global : after_failure;
    const double leaves = safe + struck * back;  // 1 - struck (1 - back)
    constant = (struck / rate + struck * recovery + safe * constant) / leaves;
    of_start = (safe * of_start + struck * back) / leaves;
  }
  const double time = constant / (1 - of_start);
  return time > 0 ? time : kUnlikely;  // at most 0: 1 - b_0 was lost to rounding
}

std::int64_t segments_between(double ratio) {
  if (!(ratio < static_cast<double>(kMostSegments))) return kMostSegments;
  const double n = std::ceil((std::sqrt(1 + 4 * ratio * ratio) - 1) / 2);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(n));
}

Pattern first_order_pattern(const TwoLevels& levels, double rate) {
  const double q = levels.local.share;
  const double local = young_daly_period(levels.local.checkpoint, 1 / (q * rate));
  const double global = young_daly_period(levels.global.checkpoint, 1 / ((1 - q) * rate));
  if (std::isinf(global)) return {.work = local, .segments = kMostSegments};
  const bool pays = levels.local.checkpoint < levels.global.checkpoint;
  const std::int64_t segments = pays ? segments_between(global / local) : 1;
  // Global checkpoints without local ones protect against all failures.
  if (segments == 1) return {.work = usual_work(1, levels, rate), .segments = 1};
  return {.work = global / static_cast<double>(segments), .segments = segments};
}

Pattern best_pattern(const TwoLevels& levels, double rate) {
  const auto value = [&](std::int64_t segments) {
    const Pattern pattern = best_of(segments, levels, rate);
    return expected_time(pattern, levels, rate) /
           (pattern.work * static_cast<double>(pattern.segments));
  };
  return best_of(climb(first_order_pattern(levels, rate).segments, value), levels, rate);
}

JobPattern best_pattern_of_job(double work, const TwoLevels& levels, double rate) {
  const Pattern usual = first_order_pattern(levels, rate);
  const auto most = static_cast<std::int64_t>(
      std::clamp(std::ceil(work / usual.work), 1.0, static_cast<double>(kMostSegments)));
  const std::int64_t start = std::min(most, usual.segments);
  const std::int64_t segments =
      climb(start, [&](std::int64_t count) { return cut_of_job(work, count, levels, rate).time; });
  return cut_of_job(work, segments, levels, rate).cut;
}

}  // namespace holdfast::checkpoint
