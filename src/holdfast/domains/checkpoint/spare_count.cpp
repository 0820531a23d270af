#include "holdfast/domains/checkpoint/spare_count.hpp"

#include <algorithm>

namespace holdfast::checkpoint {
namespace {

double period_of(const SpareNodes& nodes, const SpareCosts& costs) {
  return late_optimal_period(costs.checkpoint, nodes.life / static_cast<double>(nodes.nodes),
                             {.flush = costs.least_period});
}

}  // namespace

SpareCosts spare_costs(const Instance& instance) {
  SpareCosts costs{instance.costs(), instance.late.flush};
  costs.downtime = std::max(costs.downtime, instance.platform.spare_delay);
  costs.recovery += instance.late.flush;
  return costs;
}

void add_worth(const SpareNodes& nodes, const SpareCosts& costs, SpareRow& row) {
  if (costs.checkpoint > 0) {
    row.bound = spare_efficiency(nodes, period_of(nodes, costs), costs, true);
  }
  row.efficiency = row.full * row.bound;
  row.cost = static_cast<double>(nodes.nodes + row.spares) / row.efficiency;
}

SmallerJob smaller_job(const Instance& instance, const SpareNodes& nodes, const SpareCosts& costs) {
  const SparePlatform& platform = instance.platform;
  return {.least = *platform.minimum_nodes,
          .useful =
              [nodes, costs, platform](std::int64_t count) {
                SpareNodes some = nodes;
                some.nodes = count;
                SpareRow row;
                add_worth(some, costs, row);
                return row.bound * platform.speed_of(count, nodes.nodes);
              },
          .join = platform.join == Join::checkpoint ? costs.recovery : 0};
}

SpareTable closed_forms(const Instance& instance, double repair_factor, double repair_failure) {
  SparePlatform changed = instance.platform;
  changed.repair = instance.platform.repair->times(repair_factor);
  changed.repair_failure = repair_failure;
  const SpareNodes nodes = spare_nodes(instance, changed, 0);
  const bool uses_spares = instance.platform.chosen() != Replacement::same;
  const SpareCosts costs = spare_costs(instance);
  const auto smaller =
      instance.is_elastic() ? std::optional(smaller_job(instance, nodes, costs)) : std::nullopt;
  return [=](std::int64_t spares) {
    SpareNodes platform = nodes;
    platform.spares = uses_spares ? spares : 0;
    const SpareShares shares = shares_of(platform);
    SpareRow row{.spares = spares,
                 .full = shares.full,
                 .works = shares.full,
                 .idle = shares.idle,
                 .shortage_rate = shares.shortage_rate,
                 .shortage_length = shares.shortage_length};
    add_worth(nodes, costs, row);
    if (smaller) {
      const SmallerShares found = smaller_shares(platform, *smaller);
      row.works = found.works;
      row.efficiency = found.efficiency;
      row.cost = static_cast<double>(nodes.nodes + spares) / row.efficiency;
    } else if (costs.checkpoint > 0 && costs.downtime > 0) {  // part of it runs in waits
      row.efficiency = spare_efficiency(platform, period_of(nodes, costs), costs);
      row.cost = static_cast<double>(nodes.nodes + spares) / row.efficiency;
    }
    return row;
  };
}

std::optional<std::int64_t> smallest(const std::function<bool(std::int64_t)>& is_enough,
                                     std::int64_t most) {
  std::int64_t below = -1;  // not enough
  std::int64_t enough = 0;
  for (std::int64_t step = 1; !is_enough(enough); step *= 2) {
    if (enough == most) return std::nullopt;
    below = enough;
    enough = std::min(most, enough + step);
  }
  while (enough - below > 1) {
    const std::int64_t middle = below + (enough - below) / 2;
    (is_enough(middle) ? enough : below) = middle;
  }
  return enough;
}

}  // namespace holdfast::checkpoint
