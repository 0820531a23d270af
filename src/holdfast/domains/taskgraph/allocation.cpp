#include "holdfast/domains/taskgraph/allocation.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace holdfast::taskgraph {
namespace {

// 1e-9 is already too loose: the communication worst case at P = 1e8 would lose its ratio (2.89
// instead of 3.39).
constexpr double kTolerance = 1e-12;

std::int64_t fastest_on_frontier(const Speedup& table, std::int64_t most, double alpha) {
  const auto frontier = pareto_frontier(table, most);
  const double limit = alpha * frontier.front().area * (1 + kTolerance);
  // Areas increase along the frontier, so the first one is the least.
  const auto beyond = std::ranges::find_if(
      frontier, [&](const FrontierPoint& point) { return !(point.area <= limit); });
  return std::prev(beyond)->processors;
}

}  // namespace

std::int64_t allocation_cap(double mu, std::int64_t processors) {
  assert(mu > 0 && mu <= 1);
  const double cap = std::ceil(mu * static_cast<double>(processors) - 1e-9);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(cap), 1, processors);
}

std::int64_t initial_allocation(const Speedup& task, std::int64_t most, double alpha) {
  assert(alpha >= 1);
  if (!task.is_monotone()) return fastest_on_frontier(task, most, alpha);
  return largest_within_area(task, task.fastest(most), alpha * task.area(1) * (1 + kTolerance));
}

std::int64_t capped_allocation(const Speedup& task, std::int64_t processors,
                               const AllocationRule& rule) {
  const std::int64_t initial = initial_allocation(task, processors, rule.alpha);
  const std::int64_t cap = allocation_cap(rule.mu, processors);
  if (initial <= cap) return initial;
  return task.is_monotone() ? cap : initial_allocation(task, cap, rule.alpha);
}

}  // namespace holdfast::taskgraph
