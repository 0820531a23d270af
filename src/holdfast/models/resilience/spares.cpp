#include "holdfast/models/resilience/spares.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/sum.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace holdfast {
namespace {

/// Weights below this part of the largest one are left out.
constexpr double kNegligible = 1e-290;

/// Goes through the weights of a chain on first..last whose ratio of neighbours falls, so that there is one largest weight,
/// which is 1.
/// @param ratio  ratio(k) = weight(k + 1) / weight(k), non-increasing
/// @param take   take(k, weight), first from the largest one down and then up
template <class Ratio, class Take>
void visit_weights(std::int64_t first, std::int64_t last, const Ratio& ratio, const Take& take) {
  std::int64_t mode = first;  // the first k with ratio(k) < 1
  for (std::int64_t behind = last; mode < behind;) {
    const std::int64_t middle = mode + (behind - mode) / 2;
    if (ratio(middle) >= 1) {
      mode = middle + 1;
    } else {
      behind = middle;
    }
  }
  double weight = 1;
  take(mode, weight);
  for (std::int64_t k = mode; k-- > first;) {
    weight /= ratio(k);
    if (!(weight > kNegligible)) break;
    take(k, weight);
  }
  weight = 1;
  for (std::int64_t k = mode; k < last; ++k) {
    weight *= ratio(k);
    if (!(weight > kNegligible)) break;
    take(k + 1, weight);
  }
}

/// Failures of one node at a time, per failure of a node in use, while `up` nodes are up.
double failing(const SpareNodes& platform, std::int64_t up) {
  const auto in_use = std::min(up, platform.nodes);
  return static_cast<double>(in_use) + platform.idle_ageing * static_cast<double>(up - in_use);
}

/// Calls take(k, weight) for numbers k of nodes that are down.
template <class Take>
void visit_down(const SpareNodes& platform, const Take& take) {
  assert(platform.nodes >= 1 && platform.spares >= 0 && platform.repairers >= 1);
  const std::int64_t all = platform.nodes + platform.spares;
  const double load = platform.repair / platform.life;
  const auto ratio = [&](std::int64_t down) {
    return failing(platform, all - down) * load /
           static_cast<double>(std::min(down + 1, platform.repairers));
  };
  visit_weights(0, all, ratio, take);
}

}  // namespace

SpareShares shares_of(const SpareNodes& platform) {
  CompensatedSum total, full, idle;
  double last = 0;
  visit_down(platform, [&](std::int64_t down, double weight) {
    total += weight;
    if (down > platform.spares) return;
    full += weight;
    idle += static_cast<double>(platform.spares - down) * weight;
    if (down == platform.spares) last = weight;
  });
  SpareShares out;
  out.full = full.value() / total.value();
  out.idle = idle.value() / total.value();
  out.shortage_rate = last / total.value() * static_cast<double>(platform.nodes) / platform.life;
  // 1 - A is a sum of its own: the difference would lose the digits of a small one.
  CompensatedSum lacking;
  visit_down(platform, [&](std::int64_t down, double weight) {
    if (down > platform.spares) lacking += weight;
  });
  out.shortage_length =
      out.shortage_rate > 0 ? lacking.value() / total.value() / out.shortage_rate : 0;
  out.none_idle = full.value() > 0 ? last / full.value() : 1;
  return out;
}

double share_with_at_most(const SpareNodes& platform, std::int64_t down) {
  CompensatedSum total, part;
  visit_down(platform, [&](std::int64_t k, double weight) {
    total += weight;
    if (k <= down) part += weight;
  });
  return part.value() / total.value();
}

double most_full_share(const SpareNodes& platform) {
  if (platform.repairers == SpareNodes::kUnlimited) return 1;
  const double returns =
      static_cast<double>(platform.repairers) * platform.life / platform.repair;  // per mean life
  const bool is_cold = platform.idle_ageing == 0;
  if (is_cold && returns > static_cast<double>(platform.nodes)) return 1;
  // Spares without end: all repairers are busy, and the numbers of nodes that are up form a chain.
  const std::int64_t most = is_cold ? platform.nodes : std::numeric_limits<std::int64_t>::max() / 4;
  const auto ratio = [&](std::int64_t up) { return returns / failing(platform, up + 1); };
  CompensatedSum total, full;
  visit_weights(0, most, ratio, [&](std::int64_t up, double weight) {
    // Idle nodes that never fail: a geometric series of further weights.
    if (is_cold && up == most) weight /= 1 - returns / static_cast<double>(platform.nodes);
    total += weight;
    if (up >= platform.nodes) full += weight;
  });
  return full.value() / total.value();
}

double spare_efficiency(const SpareNodes& platform, double period, ResilienceCosts costs,
                        bool infinite) {
  const double rate = static_cast<double>(platform.nodes) / platform.life;
  if (infinite) return 1 / slowdown(period, costs, rate);
  const SpareShares shares = shares_of(platform);
  if (costs.downtime > 0 && shares.shortage_length > 0) {
    // A share of the failures begins a wait, in which the downtime runs.
    costs.downtime += shares.none_idle * shares.shortage_length *
                      elementary::expm1(-costs.downtime / shares.shortage_length);
  }
  return shares.full / slowdown(period, costs, rate);
}

SmallerShares smaller_shares(const SpareNodes& platform, const SmallerJob& job) {
  CompensatedSum total, useful, works;
  const std::int64_t all = platform.nodes + platform.spares;
  visit_down(platform, [&](std::int64_t down, double weight) {
    total += weight;
    const std::int64_t nodes = std::min(platform.nodes, all - down);
    const auto repairs = static_cast<double>(std::min(down, platform.repairers)) / platform.repair;
    if (nodes < job.least) return;
    works += weight;
    useful += weight * job.useful(nodes);
    if (down > platform.spares) useful += -weight * job.join * repairs;
  });
  return {.efficiency = useful.value() / total.value(), .works = works.value() / total.value()};
}

}  // namespace holdfast
